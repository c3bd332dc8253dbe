package dev.parley.domain.definition;

/** One version of a skill. */
public record SkillVersion(String name, String version) {}
