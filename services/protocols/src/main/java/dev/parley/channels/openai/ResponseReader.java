package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.web.TurnFeed;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads responses and cancels them: what is stored, runs here, or is known of the turn. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class ResponseReader {
    /** The wait for what another instance stores at the end of a turn, at most two seconds. */
    private static final Duration STORE_PAUSE = Duration.ofMillis(200);

    private static final int STORE_ATTEMPTS = 10;

    private final TurnService turns;
    private final ResponseStore store;
    private final ResponseRuns runs;

    ResponseReader(TurnService turns, ResponseStore store, ResponseRuns runs) {
        this.turns = turns;
        this.store = store;
        this.runs = runs;
    }

    /** The response as it is now, at its end what is stored; waits that long for its end. */
    ObjectNode read(Caller caller, StoredResponse row, Duration timeout) throws InterruptedException {
        if (row.result() != null) {
            return ProtocolJson.parse(row.result());
        }
        Optional<ResponseRun> run = runs.find(row.id());
        if (run.isPresent()) {
            return run.get()
                    .await(timeout)
                    .map(ResponseRun.End::response)
                    .orElseGet(() -> run.get().open(Status.IN_PROGRESS));
        }
        return elsewhere(caller, row, timeout);
    }

    /** The response of a turn that another instance follows, or none after a crash: then this one stores its end. */
    private ObjectNode elsewhere(Caller caller, StoredResponse row, Duration timeout) throws InterruptedException {
        ResponseJson json = ResponseJson.of(row);
        Optional<Outcome.Finished> finished =
                queryTurn(row, () -> turns.find(caller, row.key(), row.turnId(), timeout));
        Optional<TurnEnd> end = finished.isPresent() ? finished.map(TurnEnd::of) : called(caller, row);
        if (end.isEmpty()) {
            return json.open(Status.IN_PROGRESS);
        }
        Optional<StoredResponse> stored = awaitStored(row);
        if (stored.isPresent()) {
            return ProtocolJson.parse(String.valueOf(stored.get().result()));
        }
        var text = new AnswerText(true);
        finished.filter(turn -> turn.state() != TurnState.FAILED).ifPresent(turn -> text.reply(turn.reply()));
        var events = new ResponseEvents(row.id(), json.open(Status.IN_PROGRESS));
        text.texts().forEach(whole -> events.text(new AnswerText.Piece(true, whole)));
        events.close(Status.of(end.get(), text.isCut()), store.handOut(row.hostId(), row.key(), end.get()));
        ObjectNode response = json.end(
                end.get(),
                row.own(end.get().usage()),
                text.isCut(),
                events.output(),
                finished.map(Outcome.Finished::completedAt)
                        .orElseGet(Instant::now)
                        .getEpochSecond());
        return store.complete(row, response, events.pieces());
    }

    /** The calls that the turn of a response waits for; empty where it waits for none. */
    private Optional<TurnEnd> called(Caller caller, StoredResponse row) {
        TurnFeed.Pending waiting = turns.waiting(caller, row.key());
        List<CallerCall> calls = waiting.calls().stream()
                .filter(call -> call.turnId().equals(row.turnId()) && call.step() >= row.firstStep())
                .toList();
        return calls.isEmpty() ? Optional.empty() : Optional.of(new TurnEnd.Called(calls, waiting.usage()));
    }

    /** What another instance has stored a moment after the turn ended; empty where none does. */
    private Optional<StoredResponse> awaitStored(StoredResponse row) throws InterruptedException {
        Optional<StoredResponse> stored = store.ended(row);
        for (int i = 0; i < STORE_ATTEMPTS && stored.isEmpty(); i++) {
            Thread.sleep(STORE_PAUSE);
            stored = store.ended(row);
        }
        return stored;
    }

    /** Cancels its turn, unless that has ended. */
    void cancel(Caller caller, StoredResponse row) throws InterruptedException {
        try {
            queryTurn(row, () -> {
                turns.cancel(caller, row.key(), row.turnId());
                return row;
            });
        } catch (ApiException e) {
            if (!e.code().equals("turn_finished")) {
                throw e;
            }
        }
    }

    /** A query about a turn. */
    private interface TurnQuery<T> {
        T run() throws InterruptedException;
    }

    private static <T> T queryTurn(StoredResponse row, TurnQuery<T> query) throws InterruptedException {
        try {
            return query.run();
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                throw ResponseController.unknown(row.id().text());
            }
            throw e;
        }
    }
}
