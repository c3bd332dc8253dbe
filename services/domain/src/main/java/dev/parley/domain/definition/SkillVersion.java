package dev.parley.domain.definition;

public record SkillVersion(String name, String version) {}
