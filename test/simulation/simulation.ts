import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { play, type Ending } from './play.ts';
import { knock } from './stories/aimed.ts';
import { storyOf } from './stories/story-of.ts';
import type { Story } from './story.ts';
import { Chance } from './world/chance.ts';
import { Clock } from './world/clock.ts';
import { openStoryDatabase, type StoryDatabase } from './world/database.ts';
import { settingsOf } from './world/settings.ts';

/** Plays stories, one after the other, in one database. */
export interface Simulation {
  play(story: Story): Promise<Ending>;
  close(): Promise<void>;
}

/** Stories that ask most of what is ever asked, and load what is loaded when it is first needed. */
const warmUp: Story[] = [storyOf(1), storyOf(2), storyOf(3), knock(0, new Chance(0))];

/** Opens the database in which stories are played. */
export async function openSimulation(): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-story-'));
  const playIn = (database: StoryDatabase, story: Story): Promise<Ending> =>
    play(database, settingsOf(story, folder), story);
  const database = await openStoryDatabase(new Clock(new Chance(0)), async (opened) => {
    for (const story of warmUp) await playIn(opened, story);
  });
  const playStory = (story: Story): Promise<Ending> => playIn(database, story);
  return {
    play: playStory,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
