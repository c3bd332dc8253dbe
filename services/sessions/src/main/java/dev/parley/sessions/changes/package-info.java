/** What happens in each project, for those who keep a copy of it. */
@org.jspecify.annotations.NullMarked
package dev.parley.sessions.changes;
