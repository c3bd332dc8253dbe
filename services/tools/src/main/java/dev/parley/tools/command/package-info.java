/** Commands of the operating system, with their environment and the cleanup of their process trees. */
@org.jspecify.annotations.NullMarked
package dev.parley.tools.command;
