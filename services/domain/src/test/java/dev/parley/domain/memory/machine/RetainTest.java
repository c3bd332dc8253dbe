package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.extract.RuleExtraction;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.language.time.TimeSpan;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetainTest {
    private final BankFixture bank = new BankFixture();

    @Test
    @Tag("M7")
    void retainedTextBecomesUnitsWithProvenance() {
        // When
        UUID doc = bank.said("Hi there! I moved to Oslo in May 2025. Thanks a lot.");

        // Then
        Unit unit = bank.unit("Oslo").unit();
        assertEquals(FactType.WORLD, unit.type());
        assertEquals(
                new TimeSpan(Instant.parse("2025-05-01T00:00:00Z"), Instant.parse("2025-05-31T23:59:59.999Z")),
                unit.occurred());
        assertEquals(bank.now(), unit.mentionedAt());
        Provenance from = unit.provenance();
        assertEquals(doc, unit.docId());
        assertEquals(RuleExtraction.VERSION, from.extractor());
        assertEquals(BankFixture.SESSION, from.session());
        String text = bank.memory
                .document(doc)
                .orElseThrow()
                .sayings()
                .get(from.saying())
                .text();
        assertEquals("I moved to Oslo in May 2025.", text.substring(from.from(), from.to()));
    }

    /** At 2026-03-01T20:00Z it is 2 March in Auckland, 1 March in Pago Pago, and the day of the change in New York a week later. */
    @ParameterizedTest
    @CsvSource({
        "Pacific/Auckland,   2026-03-01T20:00:00Z, I met Ana yesterday.,   2026-03-01, 2026-03-01, March 2026",
        "Pacific/Auckland,   2026-03-01T20:00:00Z, I meet Ana tomorrow.,   2026-03-03, 2026-03-03, March 2026",
        "Pacific/Auckland,   2026-03-01T20:00:00Z, Ich traf Ana gestern.,  2026-03-01, 2026-03-01, March 2026",
        "UTC,                2026-03-01T20:00:00Z, I met Ana yesterday.,   2026-02-28, 2026-02-28, February 2026",
        "Pacific/Kiritimati, 2026-03-01T10:00:00Z, I met Ana yesterday.,   2026-03-01, 2026-03-01, March 2026",
        "Pacific/Kiritimati, 2026-03-01T09:59:59Z, I met Ana yesterday.,   2026-02-28, 2026-02-28, February 2026",
        "Pacific/Pago_Pago,  2026-03-01T10:59:59Z, I met Ana yesterday.,   2026-02-27, 2026-02-27, February 2026",
        "Pacific/Pago_Pago,  2026-03-01T11:00:00Z, I met Ana yesterday.,   2026-02-28, 2026-02-28, February 2026",
        "America/New_York,   2026-03-09T03:59:59Z, I met Ana yesterday.,   2026-03-07, 2026-03-07, March 2026",
        "America/New_York,   2026-03-09T04:00:00Z, I met Ana yesterday.,   2026-03-08, 2026-03-08, March 2026",
        "Europe/Berlin,      2026-10-25T22:59:59Z, I met Ana yesterday.,   2026-10-24, 2026-10-24, October 2026",
        "Europe/Berlin,      2026-10-25T23:00:00Z, I met Ana yesterday.,   2026-10-25, 2026-10-25, October 2026",
        "Pacific/Auckland,   2026-03-01T20:00:00Z, I met Ana last week.,   2026-02-23, 2026-03-01, February 2026",
        "+14:00,             2026-03-01T10:30:00Z, I met Ana yesterday.,   2026-03-01, 2026-03-01, March 2026",
    })
    @Tag("B150")
    void relativeTimesAreThoseOfTheSpeakersZone(
            String name, Instant time, String text, LocalDate first, LocalDate last, String month) {
        // Given
        ZoneId zone = ZoneId.of(name);
        bank.in(zone, time);

        // When
        bank.said(text);

        // Then
        TimeSpan occurred = Objects.requireNonNull(bank.unit("Ana").unit().occurred());
        assertEquals(first.atStartOfDay(zone).toInstant(), occurred.from());
        assertEquals(last.plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1), occurred.to());
        assertTrue(
                bank.effects.stream()
                        .anyMatch(effect -> effect instanceof MemoryEffect.Embed embed
                                && embed.request().texts().toString().contains("(happened in " + month + ")")),
                () -> bank.effects.toString());
    }

    @Test
    void documentIsRetainedBeforeItsFactsAreExtracted() {
        var retain = bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I live in Oslo."));

        var outcome = assertInstanceOf(Outcome.Retained.class, bank.give(retain));

        assertTrue(outcome.isChanged());
        assertEquals(1, bank.events(DocumentRetained.class).size());
        assertEquals(0, bank.events(UnitLearned.class).size());
        assertEquals(1, bank.state().pending());
        assertEquals(0, bank.embedAll().state().pending());
        assertEquals(1, bank.events(PassagesEmbedded.class).size());
    }

    @Test
    @Tag("M5")
    void sameTextAddsNothingAndANewVersionRetiresChangedUnits() {
        var doc = Ids.of("doc");
        String old = "Ann lives in Oslo. ".repeat(100) + "\n\n" + "The project is called Falcon. ".repeat(100);
        bank.give(bank.retain(doc, bank.now(), null, new Utterance(Role.USER, "Ann", old)));
        bank.embedAll();
        int units = bank.events(UnitLearned.class).size();

        var repeated = bank.retain(doc, bank.now(), null, new Utterance(Role.USER, "Ann", old));
        var retained = assertInstanceOf(Outcome.Retained.class, bank.give(repeated));

        assertFalse(retained.isChanged());
        assertEquals(units, bank.embedAll().events(UnitLearned.class).size());

        String changed = old.replace("Falcon", "Condor");
        bank.give(bank.retain(doc, bank.now(), null, new Utterance(Role.USER, "Ann", changed)));
        bank.embedAll();

        var retired = bank.events(UnitRetired.class).stream()
                .map(event ->
                        bank.memory.unit(event.unitId()).orElseThrow().unit().text())
                .toList();
        assertFalse(retired.isEmpty());
        assertTrue(retired.stream().allMatch(text -> text.contains("Falcon")), retired::toString);
        bank.unit("Condor");
    }

    @Test
    void rejectsADocumentWithTheIdOfAUnit() {
        bank.said("I live in Oslo.", bank.now());
        UUID unit = bank.unit("Oslo").unit().id();
        int events = bank.events.size();

        var retain = bank.retain(unit, bank.now(), null, new Utterance(Role.USER, "Ann", "I like tea."));
        var refused = assertInstanceOf(Outcome.Refused.class, bank.give(retain));

        assertEquals("id_taken", refused.code());
        assertEquals(events, bank.events.size());
    }

    @Test
    @Tag("M2")
    void rejectsAnInvalidBankProfile() {
        new BankProfile("ann", 1, 5, 3, null, "openai/gpt-5");

        assertThrows(IllegalArgumentException.class, () -> new BankProfile("ann", 0, 3, 3, null, null));
        assertThrows(IllegalArgumentException.class, () -> new BankProfile("ann", 3, 6, 3, null, null));
        for (String model : List.of("", "gpt-5", "/gpt-5", "openai/", "open ai/gpt", "a/" + "b".repeat(255))) {
            assertThrows(IllegalArgumentException.class, () -> new BankProfile("ann", 3, 3, 3, null, model), model);
        }
    }

    @Test
    @Tag("M34")
    void aDuplicateOfACommandOrAResultChangesNothing() {
        // Given
        var retain = bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I like red tea."));
        Outcome first = bank.give(retain);
        var embed = bank.asks(MemoryEffect.Embed.class).getFirst();
        bank.answer(bank.embedded(embed.request()));
        int events = bank.events.size();

        // When
        Outcome second = bank.give(retain);
        bank.answer(bank.embedded(embed.request()));

        // Then
        assertEquals(first, second);
        assertEquals(events, bank.events.size());
    }

    @Test
    @Tag("M22")
    void linksFactsOfOneDayWeightedByTheirDistance() {
        bank.said("I bought a blue car.", Instant.parse("2026-03-01T06:00:00Z"));
        bank.said("I sold my bike.", Instant.parse("2026-03-01T12:00:00Z"));
        bank.said("I painted my house.", Instant.parse("2026-03-03T12:00:00Z"));

        var link = bank.links("bike", "car").getFirst();
        assertEquals(LinkType.TEMPORAL, link.type());
        assertEquals(0.75, link.weight(), 1e-9);
        assertEquals(List.of(), bank.links("house", "bike"));
    }

    @Test
    @Tag("M23")
    void linksSimilarFactsFromACosineOfSevenTenths() {
        // Given
        Map<String, Vector> meanings = Map.of(
                "tea", Vector.of(1, 0, 0),
                "cocoa", Vector.of(0.71f, (float) Math.sqrt(1 - 0.71 * 0.71), 0),
                "water", Vector.of(0.69f, 0, (float) Math.sqrt(1 - 0.69 * 0.69)));
        Function<String, Vector> meaning = text -> meanings.entrySet().stream()
                .filter(entry -> text.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        var drinks = new BankFixture(BankFixture.ANN, meaning);

        // When
        drinks.said("I like green tea.", Instant.parse("2026-01-01T00:00:00Z"));
        drinks.said("I like thick cocoa with cream.", Instant.parse("2026-02-01T00:00:00Z"));
        drinks.said("I like cold water.", Instant.parse("2026-03-01T00:00:00Z"));

        // Then
        var links = drinks.links("cocoa", "tea");
        assertEquals(1, links.size());
        assertEquals(LinkType.SEMANTIC, links.getFirst().type());
        assertEquals(0.71, links.getFirst().weight(), 1e-6);
        assertEquals(List.of(), drinks.links("water", "tea"));
    }

    @Test
    @Tag("M25")
    void linksCauseAndEffectInBothDirections() {
        bank.said("I moved to Oslo because I found a job at Equinor.");

        assertEquals(List.of(LinkType.CAUSED_BY), causal(bank.links("moved to Oslo", "found a job")));
        assertEquals(List.of(LinkType.CAUSES), causal(bank.links("found a job", "moved to Oslo")));
    }

    private static List<LinkType> causal(List<Link> links) {
        return links.stream()
                .map(Link::type)
                .filter(type -> type != LinkType.TEMPORAL && type != LinkType.SEMANTIC)
                .toList();
    }

    @Test
    @Tag("M18")
    void resolvesAFirstNameToTheFullName() {
        bank.said("Alice Chen works at Equinor.");
        bank.said("Alice plays chess with Bob Meyer.");
        bank.said("Alice Meyer hates chess.");

        UUID alice = mention("works at", "Alice Chen");
        assertEquals(alice, mention("plays chess", "Alice"));
        assertNotEquals(alice, mention("hates chess", "Alice Meyer"));
        assertEquals(2, bank.memory.entities().find(alice).orElseThrow().mentions());
    }

    private UUID mention(String words, String name) {
        return bank.unit(words).mentions().stream()
                .filter(mention -> mention.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(bank.unit(words).toString()))
                .entity();
    }

    @Test
    @Tag("M33")
    void retriesAFailedEmbeddingUntilItSucceeds() {
        // Given
        bank.give(bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I like red tea.")));
        for (int i = 0; i < 20; i++) {
            EmbedRequest request =
                    bank.asks(MemoryEffect.Embed.class).getFirst().request();
            bank.answer(new CallResult.ModelFailed(
                    request.callId(), request.attempt(), ErrorCategory.NETWORK, "away", null, List.of()));
            assertEquals(List.of(), bank.asks(MemoryEffect.Embed.class));
            bank.after(Duration.ofMinutes(5));
        }
        assertEquals(0, bank.events(UnitLearned.class).size());

        // When
        bank.embedAll();

        // Then
        bank.unit("red tea");
        assertEquals(0, bank.state().pending());
    }

    @Test
    void retriesAnEmbeddingCallAfterItsLease() {
        bank.give(bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I like red tea.")));
        bank.asks(MemoryEffect.Embed.class);

        bank.after(BankCalls.LEASE);

        assertEquals(2, bank.asks(MemoryEffect.Embed.class).getFirst().request().attempt());
    }

    @Test
    void limitsConcurrentExtractions() {
        for (int i = 0; i < 2_000; i++) {
            bank.give(bank.retain(
                    Ids.of("doc", i), bank.now(), null, new Utterance(Role.USER, "Ann", "I own " + i + " books.")));
        }
        assertEquals(FactExtraction.AT_ONCE, bank.state().works().size());
        assertEquals(2_000, bank.state().pending());

        bank.embedAll();

        assertEquals(0, bank.state().pending());
        assertEquals(2_000, bank.events(UnitLearned.class).size());
    }

    @Test
    void rejectsEmptyAndTooLongDocuments() {
        var empty = bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "  \n"));
        assertEquals("empty_document", refusal(bank.give(empty)));
        var long1 = bank.retain(
                Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "a ".repeat(1 << 19) + "b"));
        assertEquals("document_too_long", refusal(bank.give(long1)));
        assertEquals(List.of(), bank.asks(MemoryEffect.Embed.class));
    }

    private static String refusal(Outcome outcome) {
        return assertInstanceOf(Outcome.Refused.class, outcome).code();
    }

    @Test
    void causeWithoutWordsIsNotAFact() {
        bank.said("My flight to Oslo was cancelled due to ***. My seat was 14C.");

        assertTrue(bank.events(UnitLearned.class).stream()
                .noneMatch(event -> event.unit().text().isBlank()));
        bank.unit("14C");
        assertEquals(0, bank.state().pending());
    }

    @Test
    void unusableEmbeddingReleasesItsSlot() {
        // Given
        bank.give(bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I like red tea.")));
        EmbedRequest request = bank.asks(MemoryEffect.Embed.class).getFirst().request();

        // When
        bank.decide(new MemoryInput.Unusable(request.callId()));

        // Then
        assertEquals(0, bank.state().pending());
        var embedded = bank.events(PassagesEmbedded.class).getFirst(); // its operation is completed
        assertEquals(Ids.of("doc"), embedded.docId());
        assertEquals(List.of(), embedded.vectors());
        bank.said("I own three parrots.");
        bank.unit("parrots");
    }

    @Test
    void extractsByRulesAfterAnUnusableModelAnswer() {
        var reader = Agent.of("default", "anthropic", "claude", "");
        bank.give(bank.retain(Ids.of("doc"), bank.now(), reader, new Utterance(Role.USER, "Ann", "I like red tea.")));
        UUID call = bank.asks(MemoryEffect.CallModel.class).getFirst().request().callId();

        bank.decide(new MemoryInput.Unusable(call));
        bank.embedAll();

        bank.unit("red tea");
        assertEquals(List.of(), bank.state().budget().reserved());
    }

    @Test
    void rejectsAnotherTextUnderAUsedCommandId() {
        var red = new Utterance(Role.USER, "Ann", "I like red tea.");
        var first = bank.retain(Ids.of("doc"), bank.now(), null, red);
        Outcome accepted = bank.give(first);
        Function<Utterance, List<Outcome>> resend = utterance -> {
            int before = bank.effects.size();
            bank.decide(new MemoryCommand.Retain(
                    first.meta(),
                    BankFixture.ANN,
                    first.docId(),
                    BankFixture.SESSION,
                    null,
                    1L,
                    List.of(utterance),
                    null,
                    List.of(),
                    bank.now(),
                    null));
            return bank.effects.stream()
                    .skip(before)
                    .map(effect -> ((MemoryEffect.SendOutcome) effect).outcome())
                    .toList();
        };

        assertEquals(List.of(accepted), resend.apply(red));
        var refused = (Outcome.Refused) resend.apply(new Utterance(Role.USER, "Ann", "I like green tea."))
                .getFirst();
        assertEquals("idempotency_mismatch", refused.code());
        assertEquals(List.of(accepted), resend.apply(red), "the first one stays");
    }

    @Test
    @Tag("M6")
    void stopsExtractionOfAForgottenDocument() {
        // Given
        var retain = bank.retain(Ids.of("doc"), bank.now(), null, new Utterance(Role.USER, "Ann", "I like red tea."));
        bank.give(retain);
        EmbedRequest request = bank.asks(MemoryEffect.Embed.class).getFirst().request();

        // When
        bank.give(new MemoryCommand.Forget(
                bank.meta(), BankFixture.ANN, MemoryCommand.Forget.What.SESSION, null, BankFixture.SESSION));
        bank.answer(bank.embedded(request));

        // Then
        assertEquals(0, bank.state().pending());
        assertEquals(0, bank.events(UnitLearned.class).size());
        assertEquals(
                List.of(), bank.memory.documentsOf(BankFixture.SESSION).stream().toList());
    }
}
