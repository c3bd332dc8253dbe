package dev.parley.domain.memory.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryCommand.Branch;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.Branched;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchTest {
    private static final BankRef IF = BankFixture.ANN.branch("what-if");

    private final BankFixture bank = new BankFixture();
    private final BankFixture branch = new BankFixture(IF, BankFixture::anyMeaning);

    private Outcome branch(String name, @Nullable Instant time, @Nullable Long number) {
        return bank.give(new Branch(bank.meta(), BankFixture.ANN, name, time, number));
    }

    private void forget(UUID doc) {
        bank.give(new Forget(bank.meta(), BankFixture.ANN, Forget.What.DOCUMENT, doc, null));
    }

    /** Delivers all copied events of the bank to the branch. */
    private void deliver() {
        for (int i = 0; i < 100 && !bank.state().branches().copying().isEmpty(); i++) {
            bank.after(Duration.ZERO);
        }
        applyCopied();
    }

    private void applyCopied() {
        List<MemoryCommand> commands = List.copyOf(bank.given);
        bank.given.clear();
        commands.forEach(command -> {
            branch.decide(command);
            branch.after(Duration.ofSeconds(1)).embedAll(); // it continues with the events copied so far
        });
    }

    private static List<String> texts(BankFixture fixture) {
        return fixture.facts().stream().map(Unit::text).sorted().toList();
    }

    @Test
    @Tag("M36")
    void branchCopiesTheBankAtAnInstantAndThenDiverges() {
        bank.said("Bob moved to Oslo. Bob likes green tea.");
        bank.after(Duration.ofHours(1));
        bank.said("Bob likes green tea.");
        Instant instant = bank.now();
        List<Unit> facts = bank.facts();
        List<Unit> observations = bank.observations();
        bank.after(Duration.ofHours(1));
        bank.said("Carol owns a red bicycle.");

        assertInstanceOf(Outcome.Accepted.class, branch("what-if", instant, null));
        deliver();

        assertEquals(facts, branch.facts());
        assertEquals(observations, branch.observations());
        assertEquals(
                bank.log().getFirst().meta().at(),
                branch.log().getFirst().meta().at(),
                "events keep their times");
        assertEquals(1, branch.events(Branched.class).size());

        branch.said("Dave sold his house in Bergen.");
        bank.said("Erin bought a boat.");
        assertTrue(texts(branch).toString().contains("Dave"));
        assertFalse(texts(branch).toString().contains("Erin"));
        assertFalse(texts(bank).toString().contains("Dave"));
        assertEquals(List.of(), bank.given);
    }

    @Test
    @Tag("M36")
    void branchRejectsDocumentsBeforeAndEventsAfterItsCompletion() {
        var beforeBranch =
                branch.retain(Ids.of("early"), branch.now(), null, new Utterance(Role.USER, "Ann", "Gil sings."));
        assertEquals("unknown_bank", ((Outcome.Refused) branch.give(beforeBranch)).code());
        for (int i = 0; i < Branching.EVENTS; i++) {
            bank.said("Person" + i + " lives in Town" + i + ".");
        }
        branch("what-if", null, null);
        bank.after(Duration.ZERO);
        assertFalse(((Adopt) bank.given.getFirst()).whole());
        applyCopied();

        var duringArrival =
                branch.retain(Ids.of("soon"), branch.now(), null, new Utterance(Role.USER, "Ann", "Gil sings."));
        assertEquals("branch_arriving", ((Outcome.Refused) branch.give(duringArrival)).code());
        deliver();
        assertEquals(texts(bank), texts(branch));

        var secondAdopt = new Adopt(branch.meta(), IF, bank.log().subList(0, 3), 3, true);
        assertEquals("not_arriving", ((Outcome.Refused) branch.give(secondAdopt)).code());
    }

    @Test
    @Tag("M36")
    void rejectsInvalidBranchRequests() {
        assertEquals("unknown_bank", ((Outcome.Refused) branch("a", null, null)).code());
        bank.said("Bob moved to Oslo.");
        assertEquals("invalid_name", ((Outcome.Refused) branch("What if?", null, null)).code());
        assertEquals("nothing_then", ((Outcome.Refused) branch("a", Instant.EPOCH, null)).code());
        assertInstanceOf(Outcome.Accepted.class, branch("what-if", null, null));
        assertEquals("name_taken", ((Outcome.Refused) branch("what-if", null, null)).code());
        deliver();
        var further = new Branch(branch.meta(), IF, "b", null, null);
        assertEquals("no_branch_of_a_branch", ((Outcome.Refused) branch.give(further)).code());
    }

    @Test
    @Tag("M35")
    @Tag("M36")
    void branchingAReembeddedBankEmbedsNothing() {
        // Given
        bank.said("Bob moved to Oslo.");
        bank.said("Carol owns a red bicycle.");
        bank.decide(new Reflect(
                bank.meta(), BankFixture.ANN, "Where is Bob?", null, null, List.of(), List.of(), 1_000, null));
        bank.think();
        bank.give(new Reembed(bank.meta(), BankFixture.ANN, "other"));
        for (int i = 0; i < 5; i++) {
            bank.after(Duration.ofSeconds(1)).embedAll();
        }
        assertEquals("other", bank.state().generations().current());

        // When
        branch("what-if", null, null);
        deliver();
        branch.after(Duration.ofMinutes(6)).after(Duration.ofMinutes(6));

        // Then
        assertEquals(List.of(), branch.asks(MemoryEffect.Embed.class));
        assertEquals("other", branch.state().generations().current());
        UUID reflection = bank.memory.reflections().iterator().next();
        assertEquals(
                bank.memory.embeddingsOf(reflection).getFirst().vector(),
                branch.memory.embeddingsOf(reflection).getFirst().vector());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Tag("M6")
    @Tag("M36")
    void branchIsTheReplayOfRemainingEventsWithoutErasedTexts(long seed) {
        var random = new Random(seed);
        var docs = new ArrayList<UUID>();
        for (int i = 0; i < 40; i++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (!docs.isEmpty()) {
                        forget(docs.remove(random.nextInt(docs.size())));
                    }
                }
                case 1 -> docs.add(bank.said("Ann likes green tea, said " + i + " times."));
                case 2 -> bank.give(new Reembed(bank.meta(), BankFixture.ANN, random.nextBoolean() ? "other" : "test"));
                default -> docs.add(bank.said("Person" + i + " lives in Town" + i % 5 + "."));
            }
            bank.after(Duration.ofSeconds(1)).embedAll().after(Duration.ofSeconds(1));
        }
        long upTo = random.nextLong(1, bank.state().lastSeq() + 1);
        branch("what-if", null, upTo);
        bank.after(Duration.ZERO); // part of it is copied when a document is erased
        for (int i = 0; i < 3 && !docs.isEmpty(); i++) {
            forget(docs.remove(random.nextInt(docs.size())));
        }
        var folded = new BankMemory(number -> bank.log().stream()
                .filter(event -> event.meta().seq() == number)
                .findFirst()
                .orElseThrow());
        bank.log().stream().filter(event -> event.meta().seq() <= upTo).forEach(folded::apply);

        deliver();

        for (UUID unit : branch.memory.units()) {
            if (folded.hasUnit(unit)) {
                assertEquals(withoutVectors(folded.unit(unit)), withoutVectors(branch.memory.unit(unit)));
                assertEquals(folded.isActive(unit), branch.memory.isActive(unit));
            } else {
                // Each bank derives observations from the remaining facts on its own.
                assertEquals(
                        FactType.OBSERVATION,
                        branch.memory.unit(unit).orElseThrow().unit().type());
            }
        }
        folded.units().stream()
                .filter(unit -> folded.typeOf(unit).orElseThrow() != FactType.OBSERVATION)
                .forEach(unit -> assertTrue(branch.memory.hasUnit(unit), () -> "it lacks " + folded.unit(unit)));
        assertEquals(branch.memory.units(), branch.replayed().units());

        for (int i = 0; i < 200 && BankMachine.nextDue(branch.state()).isPresent(); i++) {
            branch.after(Duration.ofMinutes(6)).embedAll();
        }
        assertTrue(BankMachine.nextDue(branch.state()).isEmpty(), () -> "it is never done: " + branch.state());
        String current = branch.state().generations().current();
        branch.memory
                .units()
                .forEach(unit -> assertEquals(
                        current, branch.memory.unit(unit).orElseThrow().unit().generation()));

        docs.forEach(this::forget);
        applyCopied();
        assertEquals(List.of(), texts(branch));
        assertTrue(branch.log().stream().noneMatch(event -> event.toString().contains("Town")));
    }

    /** The unit without its vectors, which the branch may have embedded anew. */
    private static Optional<String> withoutVectors(Optional<MemoryEvent.UnitLearned> learned) {
        return learned.map(event ->
                event.unit().id() + event.unit().text() + event.unit().type() + event.links() + event.mentions());
    }
}
