package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.SkillEntry;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillNeed;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Rejects skills that are, directly or through others, part of themselves or need themselves. */
final class CycleCheck {
    private CycleCheck() {}

    /**
     * Rejects a cycle among the newest visible versions.
     *
     * @throws ApiException 409
     */
    static <B extends DefinitionEntry> void check(CatalogueTable<B> table, B body, List<CatalogueRow<B>> visible) {
        if (body instanceof SkillEntry entry) {
            Skill skill = entry.skill();
            var skills = new HashMap<String, Skill>();
            visible.forEach(row ->
                    row.stored().valid().ifPresent(other -> skills.put(row.name(), ((SkillEntry) other).skill())));
            skills.put(skill.name(), skill);
            check(skill, skills, "is a part of", part -> Stream.ofNullable(part.parent()));
            check(
                    skill,
                    skills,
                    "needs",
                    dependent -> dependent.needs().stream()
                            .filter(SkillNeed::required)
                            .map(SkillNeed::skill));
        }
    }

    private static void check(
            Skill skill, Map<String, Skill> skills, String relation, Function<Skill, Stream<String>> next) {
        walk(skill.name(), skill.name(), skills, relation, next, new LinkedHashSet<>(), new LinkedHashSet<>());
    }

    private static void walk(
            String from,
            String current,
            Map<String, Skill> skills,
            String relation,
            Function<Skill, Stream<String>> next,
            SequencedSet<String> path,
            SequencedSet<String> visited) {
        Skill skill = skills.get(current);
        if (skill == null || !visited.add(current)) {
            return;
        }
        path.add(current);
        for (String other : next.apply(skill).toList()) {
            if (other.equals(from)) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "circle",
                        "The skill '%s' %s itself: %s → %s".formatted(from, relation, String.join(" → ", path), other));
            }
            walk(from, other, skills, relation, next, path, visited);
        }
        path.removeLast();
    }
}
