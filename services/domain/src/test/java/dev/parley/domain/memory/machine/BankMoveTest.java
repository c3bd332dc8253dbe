package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BankMoveTest {
    private static final UUID HOST = Ids.of("another host");
    private static final BankMove MOVE = new BankMove(
            new ImportTarget(
                    RecordKey.DEFAULT_PROJECT,
                    "elsewhere",
                    HOST,
                    user -> user + " there",
                    turn -> Ids.of("there", turn)),
            _ -> Optional.empty());
    private static final BankRef THERE = new BankRef(HOST, "elsewhere", null, "ann there");

    private final BankFixture bank = new BankFixture();
    private final BankFixture there = new BankFixture(THERE, BankFixture::anyMeaning);

    private Outcome adopt(List<MemoryEvent> events, boolean whole) {
        List<MemoryEvent> moved =
                events.stream().map(event -> MOVE.event(event, THERE)).toList();
        return there.give(
                new Adopt(there.meta(), THERE, moved, moved.getLast().meta().seq(), whole));
    }

    @Test
    @Tag("I114")
    void movedBankKeepsItsFactsAndMapsItsOwnerAndSessions() {
        // Given
        bank.said("Bob moved to Oslo. Bob likes green tea.");
        bank.said("Carol owns a red bicycle.");

        // When
        assertEquals(Optional.of(THERE), MOVE.bank(BankFixture.ANN));
        assertInstanceOf(Outcome.Accepted.class, adopt(bank.log(), true));

        // Then
        assertEquals(
                bank.facts().stream().map(Unit::text).sorted().toList(),
                there.facts().stream().map(Unit::text).sorted().toList());
        for (Unit unit : there.facts()) {
            RecordKey session = unit.provenance().session();
            assertEquals("elsewhere", session == null ? "elsewhere" : session.project(), unit.toString());
        }
        assertFalse(there.facts().isEmpty());
        for (MemoryEvent event : there.log()) {
            assertEquals(THERE, event.meta().bank());
        }
    }

    @Test
    @Tag("I114")
    void nonEmptyBankRejectsAdoptedEvents() {
        there.said("Dave sold his house in Bergen.");
        bank.said("Bob moved to Oslo.");

        Outcome outcome = adopt(bank.log(), true);

        assertEquals("not_arriving", ((Outcome.Refused) outcome).code());
    }

    @Test
    @Tag("I114")
    void mapsTurnAndSessionIdsOfAMovedBank() {
        // Given
        UUID turn = Ids.of("a turn");
        var retain = new Retain(
                bank.meta(),
                BankFixture.ANN,
                Ids.of("its document"),
                BankFixture.SESSION,
                turn,
                3L,
                List.of(new Utterance(Role.USER, "Ann", "Bob moved to Oslo.")),
                null,
                List.of(),
                bank.now(),
                null);
        bank.give(retain);
        bank.embedAll();

        // When
        adopt(bank.log(), true);

        // Then
        Document document = there.events(DocumentRetained.class).getFirst().document();
        assertEquals(Ids.of("there", turn), document.turnId());
        assertEquals(new RecordKey("elsewhere", BankFixture.SESSION.session()), document.session());
        assertEquals(
                Ids.of("there", turn), there.facts().getFirst().provenance().turnId());
    }

    @Test
    @Tag("I114")
    void mapsAnAgentsBankToTheAgentOfTheSameName() {
        // Given
        Agent guide = Agent.of("guide", "scripted", "any", "").withDefinitionId(Ids.of("the guide there"));
        var move = new BankMove(
                new ImportTarget(RecordKey.DEFAULT_PROJECT, "elsewhere", HOST, user -> user, turn -> turn),
                name -> name.equals("guide") ? Optional.of(guide) : Optional.empty());
        BankRef old =
                new BankRef(BankFixture.HOST, RecordKey.DEFAULT_PROJECT, "guide", Ids.of("the guide here"), null, null);

        // Then
        assertEquals(Optional.of(new BankRef(HOST, "elsewhere", "guide", guide.id(), null, null)), move.bank(old));
        assertEquals(
                Optional.empty(),
                move.bank(
                        new BankRef(BankFixture.HOST, RecordKey.DEFAULT_PROJECT, "gone", Ids.of("gone"), null, null)));
        assertEquals(
                Optional.of(new BankRef(HOST, "elsewhere", "default", "ann")),
                move.bank(new BankRef(BankFixture.HOST, RecordKey.DEFAULT_PROJECT, "default", "ann")));
    }
}
