package dev.parley.domain.permission;

/**
 * The argument that permission rules match.
 *
 * @param kind how the argument is interpreted
 * @param argument its name
 */
public record About(Subject.Kind kind, String argument) {}
