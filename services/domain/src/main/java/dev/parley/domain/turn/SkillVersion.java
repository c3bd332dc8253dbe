package dev.parley.domain.turn;

/** One version of a skill. */
public record SkillVersion(String name, String version) {}
