package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.FailingMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversations in which the turn machine fails with every kind of failure, on every kind of input. */
class FailingDecisionsTest {
    private static final Agent AGENT = Agent.of("default", "scripted", "scripted", "You are kind.");

    @TempDir
    Path folder;

    private final FailingMachine<TurnInput> machine = new FailingMachine<>();
    private TopologyFixture talk;

    static IntStream failures() {
        return IntStream.range(0, FailingMachine.FAILURES.size());
    }

    /** Every other one with calls in memory, from which results come without a record. */
    private Supplier<Throwable> open(int failure) {
        talk = new TopologyFixture(folder, new Random(failure).nextBoolean(), machine, AGENT);
        return FailingMachine.FAILURES.get(failure);
    }

    @AfterEach
    void close() {
        talk.close();
    }

    private void assertLetter(Supplier<Throwable> failure, String topic) {
        TestRecord<byte[], byte[]> letter = talk.records(Topics.DEAD_LETTERS).getFirst();
        assertEquals(failure.get().getClass().getName(), RecordSerde.header(letter.headers(), DeadLetters.ERROR));
        assertEquals(topic, RecordSerde.header(letter.headers(), DeadLetters.TOPIC));
        assertEquals("decide-turn", RecordSerde.header(letter.headers(), DeadLetters.BY));
    }

    private double failed(String input) {
        return talk.meters
                .counter("parley.decisions.failed", "component", "decide-turn", "input", input)
                .count();
    }

    private void assertAlive() {
        machine.failOn(_ -> false, FailingMachine.FAILURES.getFirst(), 0);
        talk.records(Topics.OUTCOMES);
        talk.modelRequests();
        talk.says("other", "hello");
        talk.modelSays("other", talk.modelRequest(), Block.text("hi"));
        assertTrue(talk.read(Topics.OUTCOMES).stream().anyMatch(Outcome.Finished.class::isInstance));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void commandIsRefusedAndDecidedWhenItIsSentAgain(int number) {
        // Given
        Supplier<Throwable> failure = open(number);
        Map<?, String> rows = talk.rows();
        machine.failOn(TurnCommand.class::isInstance, failure, 1);

        // When
        talk.says("s", "hello", MailboxMode.FOLLOWUP, "ref");

        // Then
        assertEquals(rows, talk.rows());
        assertEquals(List.of(), talk.events());
        assertInstanceOf(Outcome.Refused.class, talk.read(Topics.OUTCOMES).getFirst());
        assertLetter(failure, "turn-commands");
        assertEquals(1, failed("command"));

        // When its dead letter is re-driven
        talk.says("s", "hello", MailboxMode.FOLLOWUP, "ref");

        // Then
        talk.modelSays("s", talk.modelRequest(), Block.text("hi"));
        assertEquals(1, talk.events(TurnEvent.TurnCompleted.class).size());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void resultEndsItsTurnInstead(int number) {
        // Given
        Supplier<Throwable> failure = open(number);
        boolean always = new Random(number).nextInt(2) == 0; // also as a failed result
        talk.says("s", "hello");
        ModelRequest request = talk.modelRequest();
        talk.read(Topics.OUTCOMES);
        machine.failOn(CallResult.class::isInstance, failure, always ? 2 : 1);

        // When
        talk.modelSays("s", request, Block.text("hi"));

        // Then
        assertEquals(always ? 2 : 1, machine.failed().size());
        assertLetter(failure, "results");
        assertEquals(1, talk.events(TurnEvent.TurnFailed.class).size());
        assertTrue(talk.read(Topics.OUTCOMES).stream().anyMatch(Outcome.Finished.class::isInstance));
        assertEquals(1, failed("result"));
        assertAlive();
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void resultOfAToolIsAnErrorForTheModel(int number) {
        // Given
        Supplier<Throwable> failure = open(number);
        talk.says("s", "hello");
        talk.modelSays("s", talk.modelRequest(), new Block.ToolCall("c1", "echo", "{}", null));
        ToolRequest request = talk.toolRequests().getFirst();
        machine.failOn(CallResult.class::isInstance, failure, 1);

        // When
        talk.toolSays("s", request, "hi");

        // Then the model learns it
        assertLetter(failure, "results");
        talk.modelSays("s", talk.modelRequest(), Block.text("it did not work"));
        assertEquals(1, talk.events(TurnEvent.TurnCompleted.class).size());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B82")
    void timerIsTriedAgainAndTheTurnGoesOn(int number) {
        // Given
        Supplier<Throwable> failure = open(number);
        talk.says("s", "hello");
        ModelRequest lost = talk.modelRequest();
        machine.failOn(TurnInput.Tick.class::isInstance, failure, 3);

        // When its worker renews no lease
        for (int i = 0; i < 40; i++) {
            talk.passes(Duration.ofSeconds(1));
        }

        // Then it is asked again after three failures
        assertEquals(3, machine.failed().size());
        assertLetter(failure, "");
        ModelRequest again = talk.modelRequests().getFirst();
        assertEquals(lost.attempt() + 1, again.attempt());
        talk.modelSays("s", again, Block.text("hi"));
        assertEquals(1, talk.events(TurnEvent.TurnCompleted.class).size());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B82")
    void timerThatAlwaysFailsEndsTheTurn(int number) {
        // Given
        Supplier<Throwable> failure = open(number);
        talk.says("s", "hello");
        talk.modelRequest();
        boolean unendable = new Random(number).nextInt(4) == 0;
        machine.faultFails(unendable);
        machine.failOn(TurnInput.Tick.class::isInstance, failure, 10);

        // When
        for (int i = 0; i < 20; i++) {
            talk.passes(Duration.ofMinutes(1));
        }

        // Then
        assertTrue(machine.failed().size() >= 10 || unendable, machine.failed()::toString);
        assertEquals(unendable ? 0 : 1, talk.events(TurnEvent.TurnFailed.class).size());
        machine.faultFails(false);
        assertAlive();
    }
}
