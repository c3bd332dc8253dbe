package dev.parley.platform.testkit;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Stands in for the sessions behind {@code turn-commands}. The text of a message determines its outcome:
 * {@code refuse CODE} is refused; {@code silent} is never answered; {@code hang} runs until it is cancelled; any other
 * text is echoed word by word. A repeated command gets the same outcomes.
 */
public final class FakeSessions implements AutoCloseable {
    private final Producer<byte[], byte[]> producer;
    private final Consumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final List<TurnCommand> commands = new CopyOnWriteArrayList<>();
    private final Map<UUID, List<Outcome>> outcomes = new HashMap<>();
    private final Map<RecordKey, SubmitTurn> hanging = new HashMap<>();
    private long turns;
    private volatile boolean stopped;

    /** Starts reading at the end of the topic. */
    public FakeSessions(KafkaClients clients) {
        producer = clients.producer("fake-sessions");
        consumer = clients.consumer("fake-sessions", null, Map.of());
        var partitions = KafkaClients.partitions(consumer, Topics.TURN_COMMANDS);
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().name("fake-sessions").start(this::run);
    }

    /** All commands so far, including repeated ones. */
    public List<TurnCommand> commands() {
        return List.copyOf(commands);
    }

    private void run() {
        try (consumer) {
            while (!stopped) {
                consumer.poll(Duration.ofMillis(100)).forEach(this::take);
            }
        } catch (WakeupException e) {
            // close() asked for it
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        RecordKey key = RecordKey.parse(RecordCodec.key(record));
        TurnCommand command = RecordCodec.read(Topics.TURN_COMMANDS, record);
        commands.add(command);
        List<Outcome> before = outcomes.get(command.meta().commandId());
        if (before != null) {
            before.forEach(outcome -> publish(command, outcome));
        } else if (command instanceof SubmitTurn submit) {
            submit(key, submit);
        } else if (command instanceof CancelTurn cancel) {
            cancel(key, cancel);
        } else {
            RecordKey answering = command instanceof ForkSession fork ? fork.target() : key;
            answer(command, accepted(answering, command, null, Disposition.DONE));
        }
    }

    private void submit(RecordKey key, SubmitTurn turn) {
        String text = Message.text(turn.content());
        if (text.startsWith("refuse ")) {
            answer(turn, new Outcome.Refused(key, turn.meta().commandId(), text.substring(7), "it is refused"));
        } else if (!text.equals("silent")) {
            answer(turn, accepted(key, turn, turn.meta().commandId(), Disposition.STARTED));
            show(key, delta(turn, TurnDelta.Kind.STARTED, "", TurnState.RUNNING_MODEL));
            if (text.equals("hang")) {
                hanging.put(key, turn);
            } else {
                for (String word : text.split("(?<= )")) {
                    show(key, delta(turn, TurnDelta.Kind.TOKEN, word, null));
                }
                finish(key, turn, TurnState.COMPLETED, text);
            }
        }
    }

    private void cancel(RecordKey key, CancelTurn cancel) {
        SubmitTurn turn = hanging.remove(key);
        if (turn == null) {
            answer(cancel, new Outcome.Refused(key, cancel.meta().commandId(), "no_active_turn", "no turn is active"));
        } else {
            answer(cancel, accepted(key, cancel, turn.meta().commandId(), Disposition.DONE));
            finish(key, turn, TurnState.CANCELLED, "");
        }
    }

    private void finish(RecordKey key, SubmitTurn turn, TurnState state, String reply) {
        show(key, delta(turn, TurnDelta.Kind.DONE, reply, state));
        Instant now = Instant.now();
        answer(
                turn,
                new Outcome.Finished(
                        key,
                        turn.meta().commandId(),
                        key.sessionId(0),
                        turns,
                        state,
                        Message.text(turn.content()),
                        reply,
                        null,
                        null,
                        null,
                        new Usage(1, 2, 0, 0, 0, null),
                        turn.meta().at(),
                        now));
    }

    private Outcome accepted(RecordKey key, TurnCommand command, UUID turnId, Disposition disposition) {
        Long seq = turnId == null ? null : ++turns;
        return new Outcome.Accepted(key, command.meta().commandId(), key.sessionId(0), turnId, seq, disposition, 0);
    }

    private static TurnDelta delta(SubmitTurn turn, TurnDelta.Kind kind, String text, TurnState state) {
        return new TurnDelta(turn.meta().commandId(), kind, 0, 1, text, null, null, state);
    }

    private void answer(TurnCommand command, Outcome outcome) {
        outcomes.computeIfAbsent(command.meta().commandId(), id -> new ArrayList<>())
                .add(outcome);
        publish(command, outcome);
    }

    private void publish(TurnCommand command, Outcome outcome) {
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            var _ = producer.send(RecordCodec.record(Topics.OUTCOMES, partition, "", outcome, UUID.randomUUID(), null));
        }
    }

    /** Publishes a delta to the subscribers of the session. */
    public void show(RecordKey key, TurnDelta delta) {
        var _ = producer.send(RecordCodec.record(Topics.TURN_DELTAS, key.toString(), delta, UUID.randomUUID(), null));
    }

    @Override
    public void close() {
        stopped = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
