import { play, type Ending } from './play.ts';
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
const warmUp = [1, 2, 3];

/** Opens the database in which stories are played. */
export async function openSimulation(): Promise<Simulation> {
  const playIn = (database: StoryDatabase, story: Story): Promise<Ending> => play(database, settingsOf(story), story);
  const database = await openStoryDatabase(new Clock(new Chance(0)), async (opened) => {
    for (const seed of warmUp) await playIn(opened, storyOf(seed));
  });
  const playStory = (story: Story): Promise<Ending> => playIn(database, story);
  return { play: playStory, close: () => database.close() };
}
