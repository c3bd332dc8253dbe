package dev.parley.server.canary;

import dev.parley.platform.clock.Deadline;
import dev.parley.server.canary.CanaryClient.Answer;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Runs turns one after the other, in one session after the other, until the plan ends or it is interrupted. */
final class CanaryRun {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final CanaryPlan plan;
    private final CanaryClient client;
    private final CanaryStatistics statistics;

    CanaryRun(CanaryPlan plan, CanaryClient client, CanaryStatistics statistics) {
        this.plan = plan;
        this.client = client;
        this.statistics = statistics;
    }

    /**
     * Checks that the server is reachable and accepts the key.
     *
     * @throws CommandException otherwise
     */
    void checkConnection() throws InterruptedException {
        String sessions = plan.project() == null ? "/v1/sessions" : "/v1/projects/" + plan.project() + "/sessions";
        try {
            Answer answer = client.get(sessions + "?limit=1", TIMEOUT);
            if (!answer.isSuccess()) {
                throw new CommandException("%s answers %s".formatted(client.url(), answer.detail()));
            }
        } catch (IOException e) {
            throw new CommandException("Parley cannot be reached at %s".formatted(client.url()), e);
        }
    }

    /**
     * Runs to the end of the plan.
     *
     * @throws InterruptedException when it is stopped; the current turn is not counted
     */
    void run() throws InterruptedException {
        Deadline end = plan.length() == null ? Deadline.NEVER : Deadline.in(plan.length());
        var api = new RetryingClient(client, statistics);
        try (var events = new TurnEvents(client, statistics)) {
            CanarySession session = new CanarySession(plan, api);
            for (long turn = 0; (plan.turns() == 0 || turn < plan.turns()) && !end.passed(); turn++) {
                if (turn > 0) {
                    Thread.sleep(end.left(plan.pause()));
                }
                boolean byEvents = plan.ends().areEvents(turn);
                var done = new CanaryTurn(plan, api, events, session.path(), Nonce.next(), byEvents).run();
                session.add(done);
                statistics.add(done, session.key());
                if (session.isFull()) {
                    finish(session);
                    session = new CanarySession(plan, api);
                }
            }
            finish(session);
        }
    }

    private void finish(CanarySession session) throws InterruptedException {
        if (session.isNew()) {
            return;
        }
        List<CanaryFinding> found = session.check();
        statistics.add(found, session.key());
        if (found.isEmpty() && session.isClean()) {
            session.erase();
        }
    }
}
