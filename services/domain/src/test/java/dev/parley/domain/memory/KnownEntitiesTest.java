package dev.parley.domain.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
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

/** Entities that a bank knows. */
class KnownEntitiesTest {
    private static final Instant NOW = Instant.parse("2030-06-15T12:00:00Z");
    private static final List<String> NAMES =
            List.of("Alice", "Alice Chen", "alice chen", "Al", "Bob", "Bob Meyer", "Kathrin Holm", "A. Chen");

    private record Said(List<Mention> mentions, Instant date) {}

    private static UUID id(String name) {
        return Ids.of("entity", name);
    }

    private static KnownEntities of(List<Said> all) {
        var known = new KnownEntities();
        all.forEach(said -> known.mentioned(said.mentions(), said.date()));
        return known;
    }

    private static Said said(Random random) {
        var mentions = new ArrayList<Mention>();
        for (int entity = random.nextInt(5); entity < 5; entity += 1 + random.nextInt(3)) {
            mentions.add(new Mention(id("e" + entity), NAMES.get(random.nextInt(NAMES.size()))));
        }
        return new Said(List.copyOf(mentions), NOW.minus(Duration.ofDays(random.nextInt(5))));
    }

    private static Set<UUID> like(KnownEntities known, String name) {
        return known.like(Name.of(name)).stream().map(Candidate::id).collect(Collectors.toSet());
    }

    /** Removing a mention restores the state without it. */
    @RepeatedTest(50)
    @Tag("M18")
    void removedMentionsLeaveNoTrace(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        List<Said> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(said(random));
        }
        KnownEntities known = of(all);
        Collections.shuffle(all, random);
        while (!all.isEmpty()) {
            Said gone = all.removeLast();
            known.unmentioned(gone.mentions(), gone.date());

            KnownEntities anew = of(all);
            assertEquals(anew.size(), known.size());
            for (int entity = 0; entity < 5; entity++) {
                assertEquals(anew.find(id("e" + entity)), known.find(id("e" + entity)));
            }
            NAMES.forEach(name -> assertEquals(like(anew, name), like(known, name), name));
        }
        assertEquals(new KnownEntities().toString(), known.toString());
    }

    @Test
    @Tag("M18")
    void candidatesIncludeAllEntitiesOfAFirstName() {
        KnownEntities known = of(List.of(
                new Said(List.of(new Mention(id("m"), "Alice Meyer")), NOW),
                new Said(List.of(new Mention(id("s"), "Alice Smith")), NOW),
                new Said(List.of(new Mention(id("a"), "Alice")), NOW)));

        assertEquals(Set.of(id("m"), id("s"), id("a")), like(known, "Alice Chen"));
        Name chen = Name.of("Alice Chen");
        assertEquals(Optional.empty(), Entities.resolve(chen, known.like(chen), List.of(chen), NOW));
    }

    @Test
    void candidatesExcludeNamesOfOtherPrefixes() {
        KnownEntities known = of(List.of(
                new Said(List.of(new Mention(id("k"), "Kathrin Holm")), NOW),
                new Said(List.of(new Mention(id("b"), "Bob Holm")), NOW)));

        assertEquals(Set.of(id("k")), like(known, "Katrin Holm"));
        assertTrue(like(known, "Zoe").isEmpty());
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
        List<Name> known = names.stream().limit(100).distinct().toList();
        KnownEntities entities = of(known.stream()
                .map(name -> new Said(List.of(new Mention(id(name.text()), name.text())), NOW))
                .toList());

        for (Name name : names.subList(100, 150)) {
            Set<UUID> same = known.stream()
                    .filter(one -> one.key().equals(name.key()))
                    .map(one -> id(one.text()))
                    .collect(Collectors.toSet());
            Set<UUID> alike = known.stream()
                    .filter(one -> beginsAlike(one, name))
                    .filter(one -> one.mayBe(name) || one.first().equals(name.first()))
                    .map(one -> id(one.text()))
                    .collect(Collectors.toSet());
            Set<UUID> found = like(entities, name.text());
            assertTrue(
                    same.isEmpty() ? found.equals(alike) : same.containsAll(found) && found.size() == 1, name.text());
        }
    }

    private static boolean beginsAlike(Name one, Name other) {
        return one.words().stream()
                .anyMatch(word -> other.words().stream()
                        .anyMatch(another -> beginning(word).equals(beginning(another))));
    }

    private static String beginning(String word) {
        return word.substring(0, Math.min(3, word.length()));
    }
}
