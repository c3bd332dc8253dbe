package dev.parley.server.sessionreplay;

import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.server.audit.ReadProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reruns turns of a recording. */
final class SessionReplay {
    private static final int SHOWN = 120;

    private final ModelCaller models;
    private final ReplayBounds bounds;
    private final ReplayStore store;
    private final ReadProgress progress;

    SessionReplay(ModelCaller models, ReplayBounds bounds, ReplayStore store, ReadProgress progress) {
        this.models = models;
        this.bounds = bounds;
        this.store = store;
        this.progress = progress;
    }

    /**
     * Replays turns, each with the history that it had.
     *
     * @param definitions the definitions of the session, without the agent
     * @param limit turns to replay, the newest ones
     */
    List<TurnResult> run(
            Recording recording, Definitions definitions, Agent agent, Predicate<RecordedTurn> selected, int limit)
            throws IOException, InterruptedException {
        List<RecordedTurn> turns = recording.turns().stream().filter(selected).toList();
        List<RecordedTurn> newest = turns.subList(Math.max(0, turns.size() - limit), turns.size());
        if (newest.size() < turns.size()) {
            progress.print("Replaying the last %d of %d turns; raise --limit for more."
                    .formatted(newest.size(), turns.size()));
        }
        var results = new ArrayList<TurnResult>();
        for (RecordedTurn turn : newest) {
            results.add(result(recording, new ReplayDefinitions(definitions, agent), agent, turn));
        }
        return results;
    }

    private TurnResult result(Recording recording, Definitions definitions, Agent agent, RecordedTurn turn)
            throws IOException, InterruptedException {
        String session = recording.key().toString();
        String version = agent.name() + "@" + agent.version();
        var stored = store.find(session, turn.id(), version);
        if (stored.isPresent()) {
            progress.print("%s turn %d: known already".formatted(session, turn.number()));
            return stored.get();
        }
        progress.print("%s turn %d ...".formatted(session, turn.number()));
        ReplayedTurn replayed = null;
        String problem = null;
        try {
            replayed = replay(recording, definitions, agent, turn);
        } catch (IllegalStateException e) {
            problem = e.getMessage();
        }
        var result = new TurnResult(
                session, turn.number(), turn.id(), version, message(turn), turn.answer(), replayed, problem);
        store.keep(result);
        return result;
    }

    private ReplayedTurn replay(Recording recording, Definitions definitions, Agent agent, RecordedTurn turn)
            throws InterruptedException {
        var sandbox = new SandboxSession(
                recording.key(),
                definitions,
                models,
                new RecordedResults(turn.answer().calls()),
                bounds,
                SteadyClock.OF_PROCESS);
        sandbox.importHistory(recording.before(turn), turn.accepted().meta().host());
        return sandbox.answer(turn, agent.name());
    }

    private static String message(RecordedTurn turn) {
        String text = Message.text(turn.content()).replaceAll("\\s+", " ");
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }
}
