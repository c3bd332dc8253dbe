package dev.parley.domain.proof;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Verification of delivery: takes facts and reports violations. Facts of one partition arrive in order, those of
 * different topics in any order; all facts of a session must go to the same instance. Deterministic for given facts and
 * scope.
 *
 * <p>Uses a few hundred bytes per command, turn and call. If the facts exceed memory, callers split the sessions over
 * several instances, one after the other, with the same {@link VerificationReport}.
 */
public final class TopicVerifier {
    private final ProofScope scope;
    private final VerificationReport report;
    private final Map<String, SessionObservations> sessions = new LinkedHashMap<>();

    public TopicVerifier(ProofScope scope, VerificationReport report) {
        this.scope = scope;
        this.report = report;
    }

    /** The next fact. */
    public void take(RecordFact fact) {
        sessions.computeIfAbsent(fact.session(), key -> new SessionObservations(key, scope, report))
                .add(fact);
    }

    /** All facts were taken. */
    public void end() {
        sessions.values().forEach(SessionObservations::finish);
        sessions.clear();
    }
}
