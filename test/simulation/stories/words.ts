import type { Change } from '../company.ts';
import type { Deed, Moment, Step } from '../story.ts';

/** A step in words. */
export function sayStep(step: Step): string {
  const soon = step.after === 0 ? 'At the same time' : `${step.after} ms later`;
  return `${step.after === 'quiet' ? 'Once everything is quiet' : soon}, ${sayDeed(step)}.`;
}

const processName = (number: number): string => `process ${number + 1}`;
const runName = (which: number): string => (which === 0 ? 'the newest run' : `the run ${which} before the newest`);

function sayDeed(deed: Deed): string {
  switch (deed.do) {
    case 'hr':
      return sayChange(deed.change);
    case 'night': {
      const file = {
        whole: 'a new file',
        half: 'half a file',
        old: 'the file before',
        shuffled: 'a new file in another order',
        other: 'the file of the other source',
      };
      if (deed.baseline)
        return `${processName(deed.by)} records ${file[deed.file]} of ${deed.source} as given elsewhere`;
      if (deed.isBrought) return `somebody brings ${file[deed.file]} of ${deed.source} to ${processName(deed.by)}`;
      const who = deed.says ? `, and somebody says ${deed.says} to the plan` : ' by schedule';
      return `${processName(deed.by)} reads ${file[deed.file]} of ${deed.source}${deed.all ? ', to send everybody' : ''}${who}`;
    }
    case 'event':
      return `the HR system sends an event about ${deed.carries === 'nobody' ? 'nobody by name' : `person ${deed.id}`}${deed.copies > 1 ? `, ${deed.copies} times` : ''}`;
    case 'approve': {
      const part = deed.part ? `the ${deed.part} people of ` : '';
      return `somebody approves ${part}${runName(deed.which)} at ${processName(deed.by)}${deed.hash ? `, with the ${deed.hash} hash` : ''}`;
    }
    case 'pause':
    case 'cancel':
    case 'resume':
    case 'retry':
      return `somebody asks ${processName(deed.by)} to ${deed.do} ${runName(deed.which)}`;
    case 'forget':
      return `person ${deed.id} is forgotten at ${processName(deed.by)}`;
    case 'resolve':
      return `somebody resolves the new address of person ${deed.id} as ${deed.as}`;
    case 'kill':
      return `${processName(deed.process)} is killed${sayMoment(deed.at)}`;
    case 'stop':
      return `${processName(deed.process)} is stopped`;
    case 'start':
      return `${processName(deed.process)} is started`;
    case 'stall':
      return `${processName(deed.process)} stands still for ${deed.ms} ms${sayMoment(deed.at)}`;
    case 'service':
      return `the service is ${deed.mood} for ${deed.forMs} ms`;
    case 'queue':
      return deed.how === 'lose' ? 'the queue loses everything' : 'the queue gives out again what is being worked on';
    case 'clock':
      return `the clock on the wall jumps by ${deed.byMs} ms`;
    case 'day':
      return 'everybody sleeps until the next day';
  }
}

function sayMoment(moment: Moment | undefined): string {
  if (moment === undefined) return '';
  const when = { before: 'right before its next', during: 'during its next', after: 'right after its next' };
  return ` ${when[moment.when]} ${moment.verb}`;
}

function sayChange(change: Change): string {
  const who = `person ${change.id}`;
  switch (change.change) {
    case 'hire':
      return `${who} is hired for ${change.department}${change.inDays ? `, to begin in ${change.inDays} days` : ''}${change.domain ? `, with an address of ${change.domain}.example` : ''}`;
    case 'leave':
      return `${who} leaves`;
    case 'return':
      return `${who} comes back`;
    case 'rename':
      return `${who} has a new last name`;
    case 'address':
      return `${who} has a new address`;
    case 'move':
      return `${who} moves to ${change.department}`;
    case 'second row':
      return `${who} has a second row, for ${change.department}`;
    case 'share':
      return `${who} shares the address of person ${change.with}`;
    case 'lose':
      return `the export loses the ${change.what} of ${who}`;
    case 'find':
      return `the export has everything of ${who} again`;
    case 'status':
      return `${who} has the status ${change.status}`;
  }
}
