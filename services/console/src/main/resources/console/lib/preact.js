// Preact with its hooks, and HTML as texts in place of JSX.
import htm from './htm.js';
import { h } from './preact-core.js';

export { Component, createContext, render } from './preact-core.js';
export * from './preact-hooks.js';
export const html = htm.bind(h);
