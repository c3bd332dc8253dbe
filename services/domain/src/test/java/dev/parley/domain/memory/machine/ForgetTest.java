package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.ChangeBank;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Forget.What;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryCommand.SetDirective;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Usage;
import dev.parley.language.text.Entities.Name;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Erased texts are gone from a bank's memory and log, and late records do not restore them. */
class ForgetTest {
    private final BankFixture bank = new BankFixture();

    private Outcome forget(What what, @Nullable UUID id) {
        var session = what == What.SESSION ? BankFixture.SESSION : null;
        return bank.give(new Forget(bank.meta(), BankFixture.ANN, what, id, session));
    }

    private void assertNothingSays(String word) {
        assertFalse(bank.log().toString().contains(word), () -> "still in the log: " + bank.log());
        assertFalse(bank.memory.entities().toString().contains(word), () -> "still known: " + bank.memory.entities());
    }

    /** Retains a text that expires after some days. */
    private UUID passing(String text, int days) {
        UUID doc = Ids.of("doc", text);
        bank.give(passing(doc, text, days));
        bank.embedAll();
        return doc;
    }

    private Retain passing(UUID doc, String text, int days) {
        Instant now = bank.now();
        var sayings = List.of(new Utterance(Role.USER, "Ann", text));
        return new Retain(
                bank.meta(),
                BankFixture.ANN,
                doc,
                BankFixture.SESSION,
                null,
                1L,
                sayings,
                null,
                List.of(),
                now,
                null,
                now.plus(Duration.ofDays(days)));
    }

    @Test
    void remembersErasedSessionsWhenOneOfThemIsErasedAgain() {
        // Given
        BankState state = bank.state();
        for (int i = 0; i < 200; i++) {
            state = state.erasing(RecordKey.of("test:" + i), bank.now());
        }

        // When
        state = state.erasing(RecordKey.of("test:199"), bank.now().plusSeconds(1));

        // Then
        assertEquals(200, state.erased().size());
        assertTrue(state.isErased(RecordKey.of("test:0"), bank.now()));

        // When
        state = state.erasing(RecordKey.of("test:200"), bank.now());

        // Then
        assertEquals(200, state.erased().size());
        assertFalse(state.isErased(RecordKey.of("test:0"), bank.now()), "the oldest makes room");
    }

    @Test
    @Tag("M39")
    @Tag("P59")
    void expiredDocumentIsForgottenWithItsUnits() {
        bank.said("I work at Equinor.");
        passing("I sold my Volvo to Carol.", 7);
        passing("I lent my Volvo to Dave.", 9);
        bank.after(Duration.ofDays(6));
        assertEquals(3, bank.facts().size());

        bank.after(Duration.ofDays(1));
        assertNothingSays("Carol");
        assertEquals(2, bank.facts().size());
        assertEquals(bank.now().plus(Duration.ofDays(2)), bank.state().expires());
        assertEquals(bank.memory.units(), bank.replayed().units());

        bank.after(Duration.ofDays(30));
        assertNothingSays("Volvo");
        assertTrue(bank.facts().getFirst().text().contains("Equinor"));
        assertNull(bank.state().expires());
        assertEquals(Optional.empty(), BankMachine.nextDue(bank.state()));
    }

    @Test
    @Tag("M39")
    @Tag("M36")
    void expiryForgetsTheDocumentInBranches() {
        // Given
        UUID doc = bank.said("I sold my Volvo to Carol.");
        bank.give(new MemoryCommand.Branch(bank.meta(), BankFixture.ANN, "other", null, null));
        bank.after(Duration.ofSeconds(1));
        bank.give(passing(doc, "I sold my Volvo to Carol.", 1));

        // When
        bank.after(Duration.ofDays(2));

        // Then
        Forget forget = bank.given.stream()
                .filter(Forget.class::isInstance)
                .map(Forget.class::cast)
                .findFirst()
                .orElseThrow();
        assertEquals("other", forget.bank().branch());
        assertEquals(What.DOCUMENT, forget.what());
        assertEquals(doc, forget.id());
    }

    @Test
    @Tag("M39")
    void expiresDocumentsInBatchesAndThenWaitsForTheInterval() {
        for (int i = 0; i < 120; i++) {
            passing("I met number " + i + " in the park.", 1);
            bank.after(Duration.ofSeconds(1));
        }
        bank.after(Duration.ofDays(1).minusSeconds(30));
        assertTrue(bank.memory.documentsOf(BankFixture.SESSION).size() <= 70, "fifty at least are gone");
        bank.after(Duration.ofMillis(1)).after(Duration.ofMillis(1));
        int remaining = bank.memory.documentsOf(BankFixture.SESSION).size();
        assertTrue(remaining > 0 && remaining < 50, () -> remaining + " are not due yet");
        bank.after(Erasure.EXPIRY_INTERVAL);
        assertEquals(Set.of(), bank.memory.documentsOf(BankFixture.SESSION));
    }

    @Test
    @Tag("M39")
    void retainingAgainChangesTheExpiryAndRejectsAPastOne() {
        UUID doc = passing("I sold my Volvo to Carol.", 7);
        bank.after(Duration.ofDays(6));
        int units = bank.events(MemoryEvent.UnitLearned.class).size();
        bank.give(passing(doc, "I sold my Volvo to Carol.", 7));
        bank.embedAll();
        assertEquals(units, bank.events(MemoryEvent.UnitLearned.class).size(), "it is not read again");
        bank.after(Duration.ofDays(5));
        assertEquals(1, bank.facts().size());
        bank.after(Duration.ofDays(2));
        assertEquals(List.of(), bank.facts());

        assertEquals("too_late", ((Outcome.Refused) bank.give(passing(doc, "I bought a Saab.", 0))).code());
    }

    @Test
    @Tag("M4")
    void erasedSessionRejectsEarlierDocuments() {
        // Given
        bank.said("I work at Equinor in Oslo.");
        Retain lateRetain =
                bank.retain(Ids.of("late"), bank.now(), null, new Utterance(Role.USER, "Ann", "I love Bergen."));

        // When
        bank.after(Duration.ofMinutes(1));
        forget(What.SESSION, null);

        // Then
        assertEquals("erased", ((Outcome.Refused) bank.give(lateRetain)).code());
        assertNothingSays("Equinor");
        assertNothingSays("Bergen");

        // When the same chat continues
        bank.after(Duration.ofMinutes(1));
        bank.said("I moved to Trondheim.");
        Outcome repeated = bank.give(new Forget(
                bank.meta().asOf(bank.now().minusSeconds(60)),
                BankFixture.ANN,
                What.SESSION,
                null,
                BankFixture.SESSION));

        // Then a repeated erasure changes nothing
        assertEquals("unknown_session", ((Outcome.Refused) repeated).code());
        assertEquals(1, bank.facts().size());
    }

    @Test
    void unknownBankRejectsLateDocumentsOfAnErasedSession() {
        Retain lateRetain =
                bank.retain(Ids.of("late"), bank.now(), null, new Utterance(Role.USER, "Ann", "I love Bergen."));

        assertInstanceOf(Outcome.Refused.class, forget(What.SESSION, null));

        assertEquals("erased", ((Outcome.Refused) bank.give(lateRetain)).code());
    }

    @Test
    void forgetsASingleTurn() {
        // Given
        UUID turn = Ids.of("turn");
        var sayings = List.of(new Utterance(Role.USER, "Ann", "I work at Equinor."));
        bank.give(new Retain(
                bank.meta(),
                BankFixture.ANN,
                Ids.of("doc"),
                BankFixture.SESSION,
                turn,
                1L,
                sayings,
                null,
                List.of(),
                bank.now(),
                null));
        bank.embedAll();
        bank.said("I live in Oslo.");

        // When
        forget(What.TURN, turn);

        // Then
        assertNothingSays("Equinor");
        assertEquals(1, bank.facts().size());
        assertEquals("unknown_turn", ((Outcome.Refused) forget(What.TURN, turn)).code());
    }

    @Test
    void forgottenBankHasNoUnitsDirectivesOrProfile() {
        // Given
        bank.give(new ChangeBank(
                bank.meta(), BankFixture.ANN, new BankProfile("Equinor's", 1, 2, 5, "speaks for Equinor", null)));
        bank.give(new SetDirective(
                bank.meta(), BankFixture.ANN, new Directive(Ids.of("rule"), "Equinor", "Praise Equinor.", 1, true)));
        bank.said("I work at Equinor.");

        // When
        forget(What.BANK, null);

        // Then
        assertNothingSays("Equinor");
        assertEquals(BankProfile.of(BankFixture.ANN), bank.state().profile());
        assertEquals(List.of(), bank.state().directives());
        assertEquals(
                List.of(GenerationChanged.class, Forgotten.class),
                bank.log().stream().map(Object::getClass).toList());
    }

    @Test
    @Tag("M4")
    @Tag("M6")
    void forgottenBankRejectsEarlierCommands() {
        // Given
        bank.said("I work at Equinor.");
        Retain lateRetain =
                bank.retain(Ids.of("late"), bank.now(), null, new Utterance(Role.USER, "Ann", "I love Bergen."));
        Reflect reflect = ask("Where do I work?");
        var rule = new SetDirective(
                bank.meta(), BankFixture.ANN, new Directive(Ids.of("rule"), "Oslo", "Praise Oslo.", 1, true));

        // When
        bank.after(Duration.ofMinutes(1));
        forget(What.BANK, null);
        int events = bank.events.size();

        // Then
        for (var command : List.of(lateRetain, reflect, rule)) {
            assertEquals("erased", ((Outcome.Refused) bank.give(command)).code());
        }
        assertEquals(events, bank.events.size(), "nothing happens to it");

        // When a turn ends whose message is older than the erasure
        bank.after(Duration.ofMinutes(1));
        var retainOfEndedTurn = new Retain(
                bank.meta(),
                BankFixture.ANN,
                lateRetain.docId(),
                BankFixture.SESSION,
                Ids.of("turn"),
                2L,
                lateRetain.sayings(),
                null,
                List.of(),
                lateRetain.mentionedAt(),
                null);

        // Then
        assertEquals("erased", ((Outcome.Refused) bank.give(retainOfEndedTurn)).code());

        // When the bank is used again
        bank.give(new ChangeBank(bank.meta(), BankFixture.ANN, null));
        bank.said("I live in Oslo.");
        bank.said("I went to school in Rome.", bank.now().minus(Duration.ofDays(9_000)));

        // Then it accepts old texts
        assertEquals(2, bank.facts().size());
        assertNothingSays("Bergen");
    }

    @Test
    void lateDocumentDoesNotCreateAForgottenBank() {
        Retain lateRetain =
                bank.retain(Ids.of("late"), bank.now(), null, new Utterance(Role.USER, "Ann", "I love Bergen."));

        assertEquals("unknown_bank", ((Outcome.Refused) forget(What.BANK, null)).code());

        assertEquals("erased", ((Outcome.Refused) bank.give(lateRetain)).code());
        assertEquals(List.of(), bank.events);
    }

    @Test
    void erasingAnUnknownDocumentLeavesAnEmptyReceipt() {
        bank.said("I work at Equinor.");

        assertEquals("unknown_document", ((Outcome.Refused) forget(What.DOCUMENT, Ids.of("no"))).code());

        Forgotten receipt = bank.events(Forgotten.class).getFirst();
        assertEquals(List.of(), receipt.units());
        assertEquals(List.of(), receipt.documents());
        assertEquals(receipt.erasure(), receipt.meta().commandId());
        assertEquals(1, bank.facts().size());

        var silent =
                new Forget(bank.meta().silent(Ids.of("silent")), BankFixture.ANN, What.DOCUMENT, Ids.of("no"), null);
        bank.give(silent);
        assertEquals(1, bank.events(Forgotten.class).size(), "nobody waits for one");
    }

    @Test
    @Tag("M18")
    void lastSeenFollowsFromTheRemainingMentions() {
        // Given
        bank.said("Alice plays chess.");
        UUID alice = bank.unit("plays chess").mentions().getFirst().entity();
        bank.after(Duration.ofDays(3));
        bank.said("Alice bought a boat.", bank.now());
        bank.after(Duration.ofDays(3));
        UUID last = bank.said("Alice met Bob.", bank.now());
        assertEquals(
                bank.now(), bank.memory.entities().find(alice).orElseThrow().lastSeen());

        // When
        forget(What.DOCUMENT, last);

        // Then
        assertEquals(
                bank.now().minus(Duration.ofDays(3)),
                bank.memory.entities().find(alice).orElseThrow().lastSeen());
        assertEquals(
                bank.memory.entities().find(alice), bank.replayed().entities().find(alice));
    }

    @Test
    @Tag("M18")
    void theNameThatOnlyAForgottenTextGaveIsForgotten() {
        // Given
        UUID full = bank.said("Alice Chen works at Equinor.");
        bank.said("Alice plays chess.");
        UUID alice = bank.unit("plays chess").mentions().getFirst().entity();
        assertEquals(
                "Alice Chen",
                bank.memory.entities().find(alice).orElseThrow().name().text());

        // When
        forget(What.DOCUMENT, full);

        // Then
        assertEquals(
                "Alice", bank.memory.entities().find(alice).orElseThrow().name().text());
        assertNothingSays("Chen");
        assertTrue(bank.memory.entities().like(Name.of("Chen")).isEmpty());
        assertEquals(
                bank.memory.entities().find(alice), bank.replayed().entities().find(alice));
    }

    @Test
    @Tag("M29")
    void erasingASessionCancelsItsReflections() {
        // Given
        UUID doc = Ids.of("elsewhere");
        var sayings = List.of(new Utterance(Role.USER, "Ann", "I work at Equinor."));
        bank.give(new Retain(
                bank.meta(), BankFixture.ANN, doc, null, null, null, sayings, null, List.of(), bank.now(), null));
        bank.embedAll();
        bank.give(new ChangeBank(bank.meta(), BankFixture.ANN, new BankProfile("ann", 3, 3, 3, null, "test/thinker")));
        bank.decide(ask("Does Plover know Equinor?"));
        bank.think();
        Reflect lateReflect = ask("Does Plover know where I work?");

        // When
        bank.after(Duration.ofMinutes(1));
        forget(What.SESSION, null);

        // Then
        assertEquals(List.of(), bank.state().thoughts());
        assertEquals(List.of(), bank.state().budget().reserved());
        assertEquals("erased", ((Outcome.Refused) bank.give(lateReflect)).code());
        assertNothingSays("Plover");
        assertEquals(1, bank.facts().size());
    }

    private Reflect ask(String question) {
        return new Reflect(
                bank.meta(), BankFixture.ANN, question, null, BankFixture.SESSION, List.of(), List.of(), 1_000, null);
    }

    @Test
    @Tag("M5")
    void forgottenUnitLeavesNoExtractionResult() {
        // Given
        var reader = Agent.of("default", "anthropic", "claude", "");
        bank.give(bank.retain(
                Ids.of("doc"),
                bank.now(),
                reader,
                new Utterance(Role.USER, "Ann", "We met. The code word is plover.")));
        ModelRequest request =
                bank.asks(MemoryEffect.CallModel.class).getFirst().request();
        bank.answer(new ModelAnswered(
                request.callId(),
                request.attempt(),
                List.of(new Block.Text("""
                        {"facts":[{"what":"Ann's secret is a bird.","type":"world","kind":"conversation","quote":"The code word is plover."}]}""", null)),
                FinishReason.STOP,
                Usage.NONE,
                "anthropic",
                "claude",
                null,
                null));
        bank.embedAll();
        UUID unit = bank.unit("bird").unit().id();
        assertEquals(1, bank.events(FactsExtracted.class).size());

        // When
        forget(What.UNIT, unit);

        // Then the passage remains without its extraction result
        assertNothingSays("bird");
        assertTrue(bank.log().toString().contains("plover"));
        assertEquals(List.of(), bank.replayed().eventsOf(unit));

        // When
        forget(What.DOCUMENT, Ids.of("doc"));

        // Then
        assertNothingSays("plover");
    }
}
