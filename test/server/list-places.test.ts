import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPlaces } from '../../src/server/page/listing.ts';

test('the way to a page begins at the nearest known place before it, in its own list', () => {
  const places = listPlaces();
  assert.deepEqual(places.wayTo('all', 100), { after: '', from: 100 });
  places.note('all', 50, 'carl');
  places.note('all', 150, 'mia');
  assert.deepEqual(places.wayTo('all', 100), { after: 'carl', from: 50 });
  assert.deepEqual(places.wayTo('all', 150), { after: 'mia', from: 0 });
  assert.deepEqual(places.wayTo('all', 40), { after: '', from: 40 });
  assert.deepEqual(places.wayTo('new', 100), { after: '', from: 100 });
});

test('of many lists, and of many places, the oldest are forgotten', () => {
  const places = listPlaces();
  for (let at = 1; at <= 600; at += 1) places.note('all', at * 50, `person ${at}`);
  assert.deepEqual(places.wayTo('all', 100), { after: '', from: 100 });
  assert.deepEqual(places.wayTo('all', 30_001), { after: 'person 600', from: 1 });
  for (let list = 0; list < 200; list += 1) places.note(`list ${list}`, 50, 'carl');
  assert.deepEqual(places.wayTo('all', 30_000), { after: '', from: 30_000 });
});
