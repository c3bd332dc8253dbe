package dev.parley.domain.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
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

    /** Texts of one theme have nearly the same vector, those of different themes unrelated ones. */
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

    private UUID said(String text) {
        bank.after(Duration.ofHours(1));
        return bank.said(text);
    }

    private Unit observation() {
        List<Unit> all = bank.observations();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst();
    }

    private List<String> texts() {
        return bank.facts().stream().map(Unit::text).toList();
    }

    @Test
    @Tag("M13")
    void equivalentFactsBecomeOneObservationWithTheirSources() {
        said("I like green tea.");
        assertEquals(List.of(), bank.observations());
        said("I really like green tea.");
        UUID id = observation().id();
        said("I still like green tea.");

        Unit seen = observation();
        assertEquals(id, seen.id());
        assertEquals(2, seen.version());
        assertEquals(3, seen.proofCount());
        assertEquals(bank.facts().stream().map(Unit::id).toList(), seen.sources());
        assertTrue(bank.facts().stream()
                .anyMatch(
                        fact -> fact.text().equals(seen.text()) && fact.vector().equals(seen.vector())));
        assertEquals(bank.now(), seen.mentionedAt());
        assertEquals(
                "more facts say it", bank.events(UnitLearned.class).getLast().reason());
    }

    @Test
    @Tag("M13")
    void newerContradictingFactSupersedesTheOlderOne() {
        said("I live in Oslo.");
        said("I live in Bergen now.");

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
        var unlike = new BankFixture();
        for (String text : List.of(
                "I live in Turku.",
                "Tom Ray works at Shell.",
                "Bob Stone lives in Bergen.",
                "My wife is called Anna.",
                "I live in Espoo.",
                "Tom Ray works at Equinor now.",
                "My wife is called Maria.",
                "Actually, I live in Tampere now.")) {
            unlike.after(Duration.ofHours(1));
            unlike.said(text);
        }

        assertEquals(
                Set.of("Tampere", "Equinor", "Bergen", "Maria"),
                unlike.facts().stream()
                        .map(fact -> fact.text().replaceAll(".* (\\p{Lu}\\p{L}+)(?: now)?\\.$", "$1"))
                        .collect(Collectors.toSet()));
        assertEquals(4, unlike.facts().size());
        UUID tampere = unlike.unit("Tampere").unit().id();
        unlike.give(new Forget(unlike.meta(), BankFixture.ANN, Forget.What.UNIT, tampere, null));
        unlike.after(Duration.ofHours(1));
        unlike.said("I live in Vaasa.");
        assertEquals(4, unlike.facts().size());
        assertEquals(4, unlike.events(UnitRetired.class).size());
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
        var unlike = new BankFixture();
        List<String> known = List.of(
                "I live in Berlin.",
                "I work at Nokia.",
                "Anna lives in Kiel.",
                "My wife is called Anna.",
                "My boss is called Bea.",
                "My daughter Anna is 5.");
        known.forEach(text -> {
            unlike.after(Duration.ofHours(1));
            unlike.said(text);
        });
        unlike.after(Duration.ofHours(1));
        unlike.said(other);

        assertEquals(List.of(), unlike.events(UnitRetired.class));
    }

    /** A bank of several people cannot tell unnamed speakers apart, and each has a home. */
    @Test
    @Tag("M13")
    void unnamedSpeakersDoNotSupersedeEachOther() {
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
        said("I live in Oslo.");
        said("I live in Oslo now.");
        UUID oslo = observation().id();
        said("I live in Bergen.");

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

        said("I live in Bergen now.");

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
        said("I like green tea. I really like green tea. I still like green tea.");
        said("I like tea and rice.");
        assertEquals(List.of(), bank.observations());

        said("I like green tea.");
        assertEquals(2, observation().proofCount());
        int events = bank.events(UnitLearned.class).size();
        said("My sister plays chess.");

        assertEquals(events + 1, bank.events(UnitLearned.class).size());
    }

    @Test
    @Tag("M11")
    void agentRepetitionsAddNoProofToUserFacts() {
        said("I like green tea.");
        said("I really like green tea.");
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

        assertTrue(bank.facts().stream().anyMatch(fact -> fact.type() == FactType.EXPERIENCE), texts()::toString);
        Unit ofAnn = bank.observations().stream()
                .filter(seen -> typeOfSources(seen).equals(Set.of(FactType.WORLD)))
                .findFirst()
                .orElseThrow();
        assertEquals(2, ofAnn.proofCount());
        bank.observations().forEach(seen -> assertEquals(1, typeOfSources(seen).size()));
    }

    private Set<FactType> typeOfSources(Unit seen) {
        return seen.sources().stream()
                .map(id -> bank.memory.unit(id).orElseThrow().unit().type())
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("M34")
    void limitsTheSourcesOfAnObservation() {
        for (int i = 0; i < Observations.MAX_SOURCES + 20; i++) {
            said("I like green tea.");
        }

        assertEquals(Observations.MAX_SOURCES, observation().proofCount());
        assertEquals(Observations.MAX_SOURCES - 1, observation().version());
    }

    @Test
    @Tag("M34")
    void aResultThatComesTwiceConsolidatesOnce() {
        said("I like green tea.");
        bank.after(Duration.ofHours(1));
        var retain =
                bank.retain(Ids.of("x"), bank.now(), null, new Utterance(Role.USER, "Ann", "I really like green tea."));
        bank.give(retain);
        var asked = bank.asks(MemoryEffect.Embed.class).getFirst();
        bank.answer(bank.embedded(asked.request()));
        Unit seen = observation();
        int events = bank.events.size();

        bank.answer(bank.embedded(asked.request()));
        bank.give(retain);

        assertEquals(events, bank.events.size());
        assertEquals(seen, observation());
    }

    // ---- what goes

    @Test
    @Tag("M6")
    @Tag("M16")
    void erasedTextIsInNoVersionOfARemainingObservation() {
        UUID secret = said("I really like green tea, says my xylophonia.");
        said("I like green tea.");
        said("I really like green tea.");
        Unit before = observation();
        assertEquals(3, before.proofCount());
        assertTrue(before.text().contains("xylophonia"));

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, secret, null));

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
        UUID doc = said("I like green tea.");
        said("I really like green tea.");
        UUID seen = observation().id();

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));

        assertEquals(List.of(), bank.observations());
        assertFalse(bank.memory.hasUnit(seen));
        assertEquals(1, bank.facts().size());
    }

    @Test
    @Tag("M6")
    void erasesSupersededTextsFromTheHistoryOfTheirReplacement() {
        UUID oslo = said("I live in Oslo near the opera.");
        said("I live in Oslo.");
        UUID id = observation().id();
        said("I live in Bergen.");
        said("I live in Bergen now.");
        assertNotEquals(id, observation().id());

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, oslo, null));

        assertFalse(bank.memory.hasUnit(id));
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("opera")));
        assertEquals(2, observation().proofCount());
    }

    @Test
    @Tag("M6")
    void erasesARetiredFactFromEarlierVersions() {
        UUID doc = said("I really like green tea, says my xylophonia.");
        said("I like green tea.");
        said("I really like green tea.");
        UUID fact = bank.memory.unitsOf(doc).iterator().next();
        assertTrue(observation().sources().contains(fact));
        bank.give(new RetireUnit(bank.meta(), BankFixture.ANN, fact, "wrong"));
        assertFalse(observation().sources().contains(fact));

        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));

        assertEquals(2, observation().proofCount());
        assertTrue(bank.log().stream().noneMatch(event -> event.toString().contains("xylophonia")));
    }

    @Test
    @Tag("M16")
    void retiredFactRebuildsOrRetiresItsObservation() {
        said("I like green tea.");
        said("I really like green tea.");
        said("I still like green tea.");
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

    // ---- whatever happens

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
                        say(random, docs.get(random.nextInt(docs.size())));
                    }
                }
                default -> {
                    docs.add(Ids.of("doc", seed, step));
                    say(random, docs.getLast());
                }
            }
            isWhole();
            observed = Math.max(observed, bank.observations().size());
        }
        assertTrue(observed > 3, "a run that makes observations, not " + observed);
    }

    private void say(Random random, UUID doc) {
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

    private void isWhole() {
        var texts = new HashSet<Same>();
        var cited = new HashSet<UUID>();
        for (Unit seen : bank.observations()) {
            assertTrue(seen.proofCount() > 1, seen::toString);
            assertEquals(seen.sources().size(), seen.proofCount());
            assertTrue(texts.add(new Same(seen.text(), Set.copyOf(seen.tags()))), () -> "twice: " + seen);
            var documents = new HashSet<UUID>();
            for (UUID source : seen.sources()) {
                assertTrue(bank.memory.isActive(source), () -> "a source that is not held: " + seen);
                assertTrue(bank.memory.derivedFrom(source).contains(seen.id()));
                assertTrue(cited.add(source), () -> "a fact is in two observations: " + source);
                Unit fact = bank.memory.unit(source).orElseThrow().unit();
                assertEquals(Set.copyOf(seen.tags()), Set.copyOf(fact.tags()));
                assertTrue(documents.add(fact.docId()), () -> "a document counts twice: " + seen);
            }
            assertTrue(seen.sources().stream()
                    .map(id -> bank.memory.unit(id).orElseThrow().unit())
                    .anyMatch(fact ->
                            fact.text().equals(seen.text()) && fact.vector().equals(seen.vector())));
        }
        assertEquals(known(bank.memory), known(bank.replayed()));
    }

    private static Map<UUID, List<Object>> known(BankMemory memory) {
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
