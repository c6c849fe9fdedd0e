// The type of a preset: request, paging, authentication, mapping.
import type { Secret } from '../../core/secrets/secret.ts';
import type { OAuth2 } from '../fetch/http-auth.ts';
import type { HttpAuth, HttpSource, Paging } from '../source-location.ts';
import type { MappingRules } from '../../core/mapping/mapping-rules.ts';
import type { PagedRequest, PageLimits } from '../fetch/pages.ts';
import type { Step } from '../fetch/steps.ts';

/** What a preset must or may be told under `account`. */
export interface Parameter {
  /** For the documentation and for messages. */
  description: string;
  /** What it is when it is not given; without it, it must be given. May name other parameters. */
  fallback?: string;
  /** What it must look like. Default: anything. */
  pattern?: RegExp;
}

/**
 * How a system is asked for its people. In every text `{name}` stands for a parameter, URL-encoded in a URL; in a list,
 * an entry that is only such a parameter stands for the names in it, separated by commas.
 */
export interface RequestTemplate extends Pick<HttpSource, 'busyWhen' | 'isRateKept'>, Pick<PagedRequest, 'absentWhen'> {
  url: string;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The JSON pointer of the people. */
  records?: string;
  paging?: Paging;
  shiftedWhen?: PageLimits['shiftedWhen'];
  steps?: readonly Step[];
  /**
   * How only some people are asked for, by the ids that the events of the system have, where that is documented: keys of
   * the body, in which `{ids}` in a list stands for them, or a parameter of the query, once for each.
   */
  byId?: { body: Readonly<Record<string, unknown>> } | { parameter: string };
  /** Ways to authenticate: the first of which all parameters are given. */
  auth: readonly { needs: readonly string[]; auth: AuthTemplate; headers?: Readonly<Record<string, string>> }[];
}

/** An `HttpAuth` in which texts are templates. Presets have client credentials, and no refresh token. */
export type AuthTemplate = {
  [Kind in keyof HttpAuth]: Kind extends 'oauth2' ? Texts<ClientCredentials> : Texts<NonNullable<HttpAuth[Kind]>>;
};
type ClientCredentials = Omit<OAuth2, 'clientSecret' | 'refreshToken'> & { clientSecret: Secret };
type Texts<Value> = Value extends { reveal(): string }
  ? string
  : { [Key in keyof Value]: NonNullable<Value[Key]> extends { reveal(): string } ? string : Value[Key] };

/** A way to read one system's people: data for the same engine that reads every other source. */
export interface Preset {
  /** What it reads, for people. */
  title: string;
  /** Present for an API; a preset without it is for a `file`. */
  request?: RequestTemplate;
  parameters: Readonly<Record<string, Parameter>>;
  /** How its rows become members, where the config says nothing else. */
  rules: MappingRules;
  /** Columns of `rules` that not every export has; what asks about them is left out then. */
  optional?: readonly string[];
  /** Which e-mail it takes, and why not the others. */
  email: string;
  /** Which statuses count as active. */
  active: string;
  /** What it does not show, or shows differently than one would think; a sentence each. */
  leavesOut: readonly string[];
}
