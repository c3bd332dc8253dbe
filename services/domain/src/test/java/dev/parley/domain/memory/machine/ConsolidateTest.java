package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsolidateTest {
    private final BankFixture bank = new BankFixture(BankFixture.ANN, ConsolidateTest::theme);

    /** Texts on one theme have similar vectors, those on different themes unrelated ones. */
    private static Vector theme(String text) {
        List<String> themes = List.of("live", "tea", "chess", "budget", "sister");
        var values = new float[themes.size() + 2];
        for (int i = 0; i < themes.size(); i++) {
            values[i] = text.contains(themes.get(i)) ? 1 : 0;
        }
        double alike = 0.2 * new Random(text.hashCode()).nextDouble();
        values[themes.size()] = (float) alike;
        values[themes.size() + 1] = values[0] + values[1] + values[2] + values[3] + values[4] == 0 ? 1 : 0;
        double length = 0;
        for (float value : values) {
            length += value * value;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] /= (float) Math.sqrt(length);
        }
        return Vector.of(values);
    }

    private UUID retain(String text) {
        bank.after(Duration.ofHours(1));
        return bank.said(text);
    }

    private Unit observation() {
        List<Unit> observations = bank.observations();
        assertEquals(1, observations.size(), observations::toString);
        return observations.getFirst();
    }

    private List<String> texts() {
        return bank.facts().stream().map(Unit::text).toList();
    }

    @Test
    @Tag("M13")
    void equivalentFactsBecomeOneObservationWithTheirSources() {
        // Given
        retain("I like green tea.");
        assertEquals(List.of(), bank.observations());
        retain("I really like green tea.");
        UUID id = observation().id();

        // When
        retain("I still like green tea.");

        // Then
        Unit observation = observation();
        assertEquals(id, observation.id());
        assertEquals(2, observation.version());
        assertEquals(3, observation.proofCount());
        assertEquals(bank.facts().stream().map(Unit::id).toList(), observation.sources());
        assertTrue(bank.facts().stream()
                .anyMatch(fact ->
                        fact.text().equals(observation.text()) && fact.vector().equals(observation.vector())));
        assertEquals(bank.now(), observation.mentionedAt());
        assertEquals(
                "more facts say it", bank.events(UnitLearned.class).getLast().reason());
    }

    @Test
    @Tag("M13")
    void newerContradictingFactSupersedesTheOlderOne() {
        retain("I live in Oslo.");
        retain("I live in Bergen now.");

        UnitRetired closed = bank.events(UnitRetired.class).getFirst();
        assertEquals(bank.unit("Oslo").unit().id(), closed.unitId());
        assertEquals(bank.unit("Bergen").unit().id(), closed.replacedBy());
        assertEquals(1, bank.facts().size());
        assertTrue(texts().getFirst().contains("Bergen"));
        assertTrue(bank.memory.hasUnit(closed.unitId()));
    }

    /** Sentences about two towns are often less similar than the threshold of semantic links. */
    @Test
    @Tag("M13")
    void supersedesHomesEmployersAndNamesWithoutSimilarVectors() {
        // When
        var dissimilarBank = new BankFixture();
        for (String text : List.of(
                "I live in Turku.",
                "Tom Ray works at Shell.",
                "Bob Stone lives in Bergen.",
                "My wife is called Anna.",
                "I live in Espoo.",
                "Tom Ray works at Equinor now.",
                "My wife is called Maria.",
                "Actually, I live in Tampere now.")) {
            dissimilarBank.after(Duration.ofHours(1));
            dissimilarBank.said(text);
        }

        // Then
        assertEquals(
                Set.of("Tampere", "Equinor", "Bergen", "Maria"),
                dissimilarBank.facts().stream()
                        .map(fact -> fact.text().replaceAll(".* (\\p{Lu}\\p{L}+)(?: now)?\\.$", "$1"))
                        .collect(Collectors.toSet()));
        assertEquals(4, dissimilarBank.facts().size());
        UUID tampere = dissimilarBank.unit("Tampere").unit().id();
        dissimilarBank.give(new Forget(dissimilarBank.meta(), BankFixture.ANN, Forget.What.UNIT, tampere, null));
        dissimilarBank.after(Duration.ofHours(1));
        dissimilarBank.said("I live in Vaasa.");
        assertEquals(4, dissimilarBank.facts().size());
        assertEquals(4, dissimilarBank.events(UnitRetired.class).size());
    }

    /** Ambiguous sentences are compared with similar facts only. */
    @ParameterizedTest
    @Tag("M13")
    @ValueSource(
            strings = {
                "I moved the meeting to Friday.",
                "I met Tom who lives in Rome.",
                "I think that Tom lives in Rome.",
                "I want to live in Lisbon.",
                "I'm thinking about moving to Lisbon.",
                "I want to work for Google.",
                "My wife is a teacher.",
                "My wife is pregnant.",
                "My boss is on holiday.",
                "I don't live in Paris.",
                "I used to live in Paris.",
                "Anna says Tom lives in Rome.",
                "My daughter Lea is 8.",
                "Tom said: I live in Rome."
            })
    void everydaySentencesRetireNothing(String other) {
        // When
        var dissimilarBank = new BankFixture();
        List<String> earlier = List.of(
                "I live in Berlin.",
                "I work at Nokia.",
                "Anna lives in Kiel.",
                "My wife is called Anna.",
                "My boss is called Bea.",
                "My daughter Anna is 5.");
        earlier.forEach(text -> {
            dissimilarBank.after(Duration.ofHours(1));
            dissimilarBank.said(text);
        });
        dissimilarBank.after(Duration.ofHours(1));
        dissimilarBank.said(other);

        // Then
        assertEquals(List.of(), dissimilarBank.events(UnitRetired.class));
    }

    /** A bank of several people cannot tell unnamed speakers apart, and each has a home. */
    @Test
    @Tag("M13")
    void unnamedSpeakersDoNotSupersedeEachOther() {
        // When
        var several = new BankFixture(
                new BankRef(BankFixture.HOST, RecordKey.DEFAULT_PROJECT, "helper", null), BankFixture::anyMeaning);
        for (String text : List.of("I live in Turku.", "I live in Espoo.")) {
            several.after(Duration.ofHours(1));
            UUID doc = Ids.of("doc", text);
            several.give(several.retain(doc, several.now(), null, new Utterance(Role.USER, null, text)));
            several.embedAll();
        }
        several.after(Duration.ofHours(1));
        several.said("I live in Rauma.");
        several.after(Duration.ofHours(1));
        several.said("I live in Vaasa.");

        // Then
        assertEquals(
                3,
                several.facts().size(),
                () -> several.facts().stream().map(Unit::text).toList().toString());
        assertEquals(
                List.of(several.unit("Rauma").unit().id()),
                several.events(UnitRetired.class).stream()
                        .map(UnitRetired::unitId)
                        .toList());
    }

    @Test
    @Tag("M13")
    void contradictedObservationIsRetired() {
        retain("I live in Oslo.");
        retain("I live in Oslo now.");
        UUID oslo = observation().id();
        retain("I live in Bergen.");

        assertEquals(List.of(), bank.observations());
        assertEquals(1, bank.facts().size());
        UUID bergen = bank.unit("Bergen").unit().id();
        assertEquals(
                Set.of(bergen),
                bank.events(UnitRetired.class).stream()
                        .map(UnitRetired::replacedBy)
                        .collect(Collectors.toSet()));
        assertTrue(bank.events(UnitRetired.class).stream()
                .anyMatch(event -> event.unitId().equals(oslo)));

        retain("I live in Bergen now.");

        assertTrue(observation().text().contains("Bergen"));
        assertNotEquals(oslo, observation().id());
    }

    @Test
    @Tag("M13")
    void olderFactThatArrivesLateIsSupersededAtOnce() {
        bank.said("I live in Bergen.", bank.now());
        bank.said("I live in Oslo.", bank.now().minus(Duration.ofDays(400)));

        assertEquals(1, bank.facts().size());
        assertTrue(texts().getFirst().contains("Bergen"));
    }

    @Test
    void factsOfOtherTagsAreNeverJoined() {
        bank.tagged("I like green tea.", "work");
        bank.after(Duration.ofHours(1));
        bank.tagged("I like green tea.", "home", "work");
        bank.after(Duration.ofHours(1));
        bank.tagged("I live in Oslo.", "home");
        bank.after(Duration.ofHours(1));
        bank.tagged("I live in Bergen now.", "work");

        assertEquals(List.of(), bank.observations());
        assertEquals(4, bank.facts().size());

        bank.after(Duration.ofHours(1));
        bank.tagged("I really like green tea.", "work", "home");

        assertEquals(Set.of("home", "work"), Set.copyOf(observation().tags()));
        assertEquals(2, observation().proofCount());
    }

    @Test
    @Tag("M34")
    void documentCountsOnceAsProof() {
        retain("I like green tea. I really like green tea. I still like green tea.");
        retain("I like tea and rice.");
        assertEquals(List.of(), bank.observations());

        retain("I like green tea.");
        assertEquals(2, observation().proofCount());
        int events = bank.events(UnitLearned.class).size();
        retain("My sister plays chess.");

        assertEquals(events + 1, bank.events(UnitLearned.class).size());
    }

    @Test
    @Tag("M11")
    void agentRepetitionsAddNoProofToUserFacts() {
        // When
        retain("I like green tea.");
        retain("I really like green tea.");
        for (int i = 0; i < 5; i++) {
            bank.after(Duration.ofHours(1));
            bank.give(bank.retain(
                    Ids.of("answer", i),
                    bank.now(),
                    null,
                    new Utterance(Role.TOOL, "notes", "Ann likes green tea."),
                    new Utterance(Role.ASSISTANT, "Parley", "I have noted that you like green tea since 2024.")));
            bank.embedAll();
        }

        // Then
        assertTrue(bank.facts().stream().anyMatch(fact -> fact.type() == FactType.EXPERIENCE), texts()::toString);
        Unit ofAnn = bank.observations().stream()
                .filter(observation -> typeOfSources(observation).equals(Set.of(FactType.WORLD)))
                .findFirst()
                .orElseThrow();
        assertEquals(2, ofAnn.proofCount());
        bank.observations()
                .forEach(observation ->
                        assertEquals(1, typeOfSources(observation).size()));
    }

    private Set<FactType> typeOfSources(Unit observation) {
        return observation.sources().stream()
                .map(id -> bank.memory.unit(id).orElseThrow().unit().type())
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("M34")
    void limitsTheSourcesOfAnObservation() {
        for (int i = 0; i < Observations.MAX_SOURCES + 20; i++) {
            retain("I like green tea.");
        }

        assertEquals(Observations.MAX_SOURCES, observation().proofCount());
        assertEquals(Observations.MAX_SOURCES - 1, observation().version());
    }

    @Test
    @Tag("M34")
    void aResultThatComesTwiceConsolidatesOnce() {
        // Given
        retain("I like green tea.");
        bank.after(Duration.ofHours(1));
        var retain =
                bank.retain(Ids.of("x"), bank.now(), null, new Utterance(Role.USER, "Ann", "I really like green tea."));
        bank.give(retain);
        var embed = bank.asks(MemoryEffect.Embed.class).getFirst();
        bank.answer(bank.embedded(embed.request()));
        Unit observation = observation();
        int events = bank.events.size();

        // When
        bank.answer(bank.embedded(embed.request()));
        bank.give(retain);

        // Then
        assertEquals(events, bank.events.size());
        assertEquals(observation, observation());
    }

    // ---- erasure

    @Test
    @Tag("M6")
    @Tag("M16")
    void erasedTextIsInNoVersionOfARemainingObservation() {
        // Given
        UUID secret = retain("I really like green tea, says my xylophonia.");
        retain("I like green tea.");
        retain("I really like green tea.");
        Unit before = observation();
        assertEquals(3, before.proofCount());
        assertTrue(before.text().contains("xylophonia"));

        // When
        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, secret, null));

        // Then
        Unit after = observation();
        assertEquals(before.id(), after.id());
        assertEquals(2, after.proofCount());
        assertTrue(after.version() > before.version());
        assertFalse(after.sources().stream().anyMatch(source -> !bank.memory.hasUnit(source)));
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("xylophonia")));
        assertTrue(bank.events(Forgotten.class).getFirst().units().contains(before.id()));
    }

    @Test
    @Tag("M6")
    void observationWithOneRemainingSourceIsErased() {
        UUID doc = retain("I like green tea.");
        retain("I really like green tea.");
        UUID observationId = observation().id();

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));

        assertEquals(List.of(), bank.observations());
        assertFalse(bank.memory.hasUnit(observationId));
        assertEquals(1, bank.facts().size());
    }

    @Test
    @Tag("M6")
    void erasesSupersededTextsFromTheHistoryOfTheirReplacement() {
        // Given
        UUID oslo = retain("I live in Oslo near the opera.");
        retain("I live in Oslo.");
        UUID id = observation().id();
        retain("I live in Bergen.");
        retain("I live in Bergen now.");
        assertNotEquals(id, observation().id());

        // When
        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, oslo, null));

        // Then
        assertFalse(bank.memory.hasUnit(id));
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("opera")));
        assertEquals(2, observation().proofCount());
    }

    @Test
    @Tag("M6")
    void erasesARetiredFactFromEarlierVersions() {
        // Given
        UUID doc = retain("I really like green tea, says my xylophonia.");
        retain("I like green tea.");
        retain("I really like green tea.");
        UUID fact = bank.memory.unitsOf(doc).iterator().next();
        assertTrue(observation().sources().contains(fact));
        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, fact, "wrong"));
        assertFalse(observation().sources().contains(fact));

        // When
        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));

        // Then
        assertEquals(2, observation().proofCount());
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("xylophonia")));
    }

    @Test
    @Tag("M16")
    void retiredFactRebuildsOrRetiresItsObservation() {
        retain("I like green tea.");
        retain("I really like green tea.");
        retain("I still like green tea.");
        UUID id = observation().id();
        List<UUID> sources = observation().sources();

        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, sources.get(1), "wrong"));

        assertEquals(id, observation().id());
        assertEquals(List.of(sources.get(0), sources.get(2)), observation().sources());

        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, sources.get(0), "wrong"));

        assertEquals(List.of(), bank.observations());
        assertTrue(bank.memory.hasUnit(id));
        int events = bank.events.size();
        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, sources.get(0), "wrong"));
        assertEquals(events, bank.events.size());
    }

    @Test
    @Tag("M5")
    void restatedFactOfADocumentIsCurrentAgain() {
        var doc = Ids.of("doc");
        for (String text : List.of("I like green tea.", "I play chess.", "I like green tea.")) {
            bank.after(Duration.ofHours(1));
            bank.give(bank.retain(doc, bank.now(), null, new Utterance(Role.USER, "Ann", text)));
            bank.embedAll();
        }

        assertEquals(1, bank.facts().size());
        assertTrue(texts().getFirst().contains("green tea"));
        assertEquals(2, bank.facts().getFirst().version());
    }

    // ---- random runs

    private static final List<String> PLACES = List.of("Oslo", "Bergen", "Rome");
    private static final List<String> FORMS = List.of(
            "I live in %s.",
            "I live in %s now.",
            "I really like green tea in %s.",
            "I like green tea.",
            "I still like green tea.",
            "My sister lives in %s.",
            "I play chess.",
            "I don't play chess.",
            "I play chess often.");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("M13")
    @Tag("M16")
    @Tag("M34")
    void observationsStayConsistentInRandomRuns(long seed) {
        var random = new Random(seed);
        var docs = new ArrayList<UUID>();
        int observed = 0;
        for (int step = 0; step < 150; step++) {
            bank.after(Duration.ofMinutes(random.nextInt(200)));
            switch (random.nextInt(10)) {
                case 0 -> forget(random, docs);
                case 1 -> retire(random);
                case 2 -> {
                    if (!docs.isEmpty()) {
                        retainRandom(random, docs.get(random.nextInt(docs.size())));
                    }
                }
                default -> {
                    docs.add(Ids.of("doc", seed, step));
                    retainRandom(random, docs.getLast());
                }
            }
            assertConsistent();
            observed = Math.max(observed, bank.observations().size());
        }
        assertTrue(observed > 3, "a run that makes observations, not " + observed);
    }

    private void retainRandom(Random random, UUID doc) {
        String text = Stream.generate(() ->
                        FORMS.get(random.nextInt(FORMS.size())).formatted(PLACES.get(random.nextInt(PLACES.size()))))
                .limit(1 + random.nextInt(3))
                .collect(Collectors.joining(" "));
        List<String> tags = random.nextInt(4) == 0 ? List.of("work") : List.of();
        bank.give(new MemoryCommand.Retain(
                bank.meta(),
                BankFixture.ANN,
                doc,
                BankFixture.SESSION,
                null,
                1L,
                List.of(new Utterance(Role.USER, "Ann", text)),
                null,
                tags,
                bank.now(),
                null));
        bank.embedAll();
    }

    private void forget(Random random, List<UUID> docs) {
        List<UUID> units = bank.memory.units().stream().sorted().toList();
        boolean unit = random.nextBoolean();
        if ((unit ? units : docs).isEmpty()) {
            return;
        }
        UUID id = unit ? units.get(random.nextInt(units.size())) : docs.remove(random.nextInt(docs.size()));
        var what = unit ? Forget.What.UNIT : Forget.What.DOCUMENT;
        bank.give(new Forget(bank.meta(), BankFixture.ANN, what, id, null));
        assertFalse(bank.memory.isActive(id));
    }

    private void retire(Random random) {
        List<UUID> units = bank.memory.units().stream().sorted().toList();
        if (!units.isEmpty()) {
            UUID id = units.get(random.nextInt(units.size()));
            bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, id, "wrong"));
            assertFalse(bank.memory.isActive(id));
        }
    }

    private record Same(String text, Set<String> tags) {}

    private void assertConsistent() {
        var texts = new HashSet<Same>();
        var cited = new HashSet<UUID>();
        for (Unit observation : bank.observations()) {
            assertTrue(observation.proofCount() > 1, observation::toString);
            assertEquals(observation.sources().size(), observation.proofCount());
            assertTrue(
                    texts.add(new Same(observation.text(), Set.copyOf(observation.tags()))),
                    () -> "twice: " + observation);
            var documents = new HashSet<UUID>();
            for (UUID source : observation.sources()) {
                assertTrue(bank.memory.isActive(source), () -> "a source that is not held: " + observation);
                assertTrue(bank.memory.derivedFrom(source).contains(observation.id()));
                assertTrue(cited.add(source), () -> "a fact is in two observations: " + source);
                Unit fact = bank.memory.unit(source).orElseThrow().unit();
                assertEquals(Set.copyOf(observation.tags()), Set.copyOf(fact.tags()));
                assertTrue(documents.add(fact.docId()), () -> "a document counts twice: " + observation);
            }
            assertTrue(observation.sources().stream()
                    .map(id -> bank.memory.unit(id).orElseThrow().unit())
                    .anyMatch(fact -> fact.text().equals(observation.text())
                            && fact.vector().equals(observation.vector())));
        }
        assertEquals(snapshot(bank.memory), snapshot(bank.replayed()));
    }

    private static Map<UUID, List<Object>> snapshot(BankMemory memory) {
        return memory.units().stream()
                .collect(Collectors.toMap(
                        id -> id,
                        id -> List.of(
                                memory.unit(id).orElseThrow(),
                                memory.isActive(id),
                                memory.eventsOf(id),
                                memory.derivedFrom(id),
                                memory.unit(id).orElseThrow().mentions().stream()
                                        .map(mention -> memory.entities()
                                                .find(mention.entity())
                                                .map(found -> found.mentions()))
                                        .toList())));
    }
}
