package dev.parley.domain.memory.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.Mention;
import dev.parley.language.text.Entities;
import dev.parley.language.text.Entities.Candidate;
import dev.parley.language.text.Entities.Name;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The index of the entities of a bank. */
class KnownEntitiesTest {
    private static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");
    private static final List<String> NAMES =
            List.of("Alice", "Alice Chen", "alice chen", "Al", "Bob", "Bob Meyer", "Kathrin Holm", "A. Chen");

    private record Statement(List<Mention> mentions, Instant date) {}

    private static UUID id(String name) {
        return Ids.of("entity", name);
    }

    private static KnownEntities of(List<Statement> statements) {
        var entities = new KnownEntities();
        statements.forEach(statement -> entities.addMentions(statement.mentions(), statement.date()));
        return entities;
    }

    private static Statement statement(Random random) {
        var mentions = new ArrayList<Mention>();
        for (int entity = random.nextInt(5); entity < 5; entity += 1 + random.nextInt(3)) {
            mentions.add(new Mention(id("e" + entity), NAMES.get(random.nextInt(NAMES.size()))));
        }
        return new Statement(List.copyOf(mentions), NOW.minus(Duration.ofDays(random.nextInt(5))));
    }

    private static Set<UUID> like(KnownEntities entities, String name) {
        return entities.like(Name.of(name)).stream().map(Candidate::id).collect(Collectors.toSet());
    }

    /** Removing a mention restores the state without it. */
    @RepeatedTest(50)
    @Tag("M18")
    void removedMentionsLeaveNoTrace(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        List<Statement> statements = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            statements.add(statement(random));
        }
        KnownEntities entities = of(statements);
        Collections.shuffle(statements, random);
        while (!statements.isEmpty()) {
            Statement removed = statements.removeLast();
            entities.removeMentions(removed.mentions(), removed.date());

            KnownEntities rebuilt = of(statements);
            assertEquals(rebuilt.size(), entities.size());
            for (int entity = 0; entity < 5; entity++) {
                assertEquals(rebuilt.find(id("e" + entity)), entities.find(id("e" + entity)));
            }
            NAMES.forEach(name -> assertEquals(like(rebuilt, name), like(entities, name), name));
        }
        assertEquals(new KnownEntities().toString(), entities.toString());
    }

    @Test
    @Tag("M18")
    void candidatesIncludeAllEntitiesOfAFirstName() {
        KnownEntities entities = of(List.of(
                new Statement(List.of(new Mention(id("m"), "Alice Meyer")), NOW),
                new Statement(List.of(new Mention(id("s"), "Alice Smith")), NOW),
                new Statement(List.of(new Mention(id("a"), "Alice")), NOW)));

        assertEquals(Set.of(id("m"), id("s"), id("a")), like(entities, "Alice Chen"));
        Name chen = Name.of("Alice Chen");
        assertEquals(Optional.empty(), Entities.resolve(chen, entities.like(chen), List.of(chen), NOW));
    }

    @Test
    void candidatesExcludeNamesOfOtherPrefixes() {
        KnownEntities entities = of(List.of(
                new Statement(List.of(new Mention(id("k"), "Kathrin Holm")), NOW),
                new Statement(List.of(new Mention(id("b"), "Bob Holm")), NOW)));

        assertEquals(Set.of(id("k")), like(entities, "Katrin Holm"));
        assertTrue(like(entities, "Zoe").isEmpty());
    }

    /** The prefix index finds the same candidates as a comparison with each name. */
    @Test
    void candidatesMatchAComparisonWithEachName() {
        var random = new Random(5);
        String[] syllables = "Ba bo be Al an ar Zo za Ét".split(" ");
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            var name = new StringBuilder();
            for (int word = random.nextInt(4); word >= 0; word--) {
                for (int syllable = 1 + random.nextInt(3); syllable > 0; syllable--) {
                    name.append(syllables[random.nextInt(syllables.length)]);
                }
                name.append(word == 0 ? "" : " ");
            }
            names.add(Name.of(name.toString()));
        }
        List<Name> knownNames = names.stream().limit(100).distinct().toList();
        KnownEntities entities = of(knownNames.stream()
                .map(name -> new Statement(List.of(new Mention(id(name.text()), name.text())), NOW))
                .toList());

        for (Name name : names.subList(100, 150)) {
            Set<UUID> sameName = knownNames.stream()
                    .filter(candidate -> candidate.key().equals(name.key()))
                    .map(candidate -> id(candidate.text()))
                    .collect(Collectors.toSet());
            Set<UUID> alike = knownNames.stream()
                    .filter(candidate -> beginsAlike(candidate, name))
                    .filter(candidate ->
                            candidate.mayBe(name) || candidate.first().equals(name.first()))
                    .map(candidate -> id(candidate.text()))
                    .collect(Collectors.toSet());
            Set<UUID> found = like(entities, name.text());
            assertTrue(
                    sameName.isEmpty() ? found.equals(alike) : sameName.containsAll(found) && found.size() == 1,
                    name.text());
        }
    }

    private static boolean beginsAlike(Name first, Name second) {
        return first.words().stream()
                .anyMatch(word -> second.words().stream()
                        .anyMatch(another -> beginning(word).equals(beginning(another))));
    }

    private static String beginning(String word) {
        return word.substring(0, Math.min(3, word.length()));
    }
}
