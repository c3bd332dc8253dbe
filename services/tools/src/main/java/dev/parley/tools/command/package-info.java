/** Commands of the operating system: what they are given, and how they end with all that they have started. */
@org.jspecify.annotations.NullMarked
package dev.parley.tools.command;
