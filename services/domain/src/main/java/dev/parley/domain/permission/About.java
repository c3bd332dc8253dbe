package dev.parley.domain.permission;

/**
 * Which argument says what a call of a tool is about.
 *
 * @param kind how it is to be read
 * @param argument its name
 */
public record About(Subject.Kind kind, String argument) {}
