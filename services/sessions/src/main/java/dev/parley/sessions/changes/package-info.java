/** Publishes the changes of projects on {@code project-changes}, for consumers that mirror a project. */
@org.jspecify.annotations.NullMarked
package dev.parley.sessions.changes;
