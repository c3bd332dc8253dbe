package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.proof.FactKind;
import dev.parley.domain.proof.Finding;
import dev.parley.domain.proof.ProofScope;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.proof.TopicVerifier;
import dev.parley.domain.proof.VerificationReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics of random runs have no findings, except when a record is missing or duplicate. */
class ProofSimulationTest {
    private static final int RUNS = 400;
    private static final Instant LONG_AGO = Instant.EPOCH;
    private static final Instant LATER = Instant.parse("2040-01-01T00:00:00Z");

    /** Kinds that the verifier checks and that have one counterpart each. */
    private static final Set<FactKind> ONE_EACH = EnumSet.of(
            FactKind.ACCEPTED,
            FactKind.ENDED,
            FactKind.CALL,
            FactKind.CALL_ENDED,
            FactKind.APPROVAL_REQUESTED,
            FactKind.APPROVAL_DECIDED);

    @Test
    @Tag("O13")
    void completeHistoriesHaveNoFindings() {
        // When
        var wrong = LongStream.range(0, RUNS)
                .parallel()
                .mapToObj(seed -> seed + ": " + findings(history(seed)))
                .filter(found -> !found.endsWith(": []"))
                .limit(3)
                .toList();

        // Then
        assertEquals(List.of(), wrong, "seeds with findings");
    }

    @Test
    @Tag("O13")
    void findsAMissingOrDuplicateRecordInRandomRuns() {
        int changed = 0;
        for (long seed = 0; seed < RUNS / 4; seed++) {
            // Given
            var random = new SplittableRandom(seed);
            List<RecordFact> history = history(seed);
            int[] places = IntStream.range(0, history.size())
                    .filter(i -> ONE_EACH.contains(history.get(i).kind()))
                    .toArray();
            if (places.length == 0) {
                continue;
            }
            int index = places[random.nextInt(places.length)];
            var withoutFact = new ArrayList<>(history);
            RecordFact fact = withoutFact.remove(index);
            var withDuplicate = new ArrayList<>(history);
            withDuplicate.add(index, fact);

            // Then
            String description = "seed " + seed + " " + fact;
            boolean mayEndWithItsCall = fact.kind() == FactKind.APPROVAL_DECIDED;
            assertTrue(
                    mayEndWithItsCall || isErasedOrFound(history, fact, findings(renumbered(withoutFact))),
                    () -> description + " is missing");
            assertTrue(isErasedOrFound(history, fact, findings(withDuplicate)), () -> description + " comes twice");
            changed++;
        }
        assertTrue(changed > RUNS / 8, "changed " + changed);
    }

    private static boolean isErasedOrFound(List<RecordFact> history, RecordFact fact, List<String> found) {
        return !found.isEmpty()
                || fact.word().equals("again")
                || history.stream()
                        .anyMatch(other -> other.kind() == FactKind.ERASED
                                && other.session().equals(fact.session()));
    }

    /** Renumbers events, so that their sequence numbers do not reveal the change. */
    private static List<RecordFact> renumbered(List<RecordFact> facts) {
        var numbers = new java.util.HashMap<String, Long>();
        return facts.stream()
                .map(fact -> fact.place().topic().equals("turn-events")
                        ? fact.withSeq(numbers.merge(fact.session(), 1L, Long::sum))
                        : fact)
                .toList();
    }

    private static List<RecordFact> history(long seed) {
        var simulation = new TurnSimulation(seed);
        simulation.run();
        return simulation.log().facts();
    }

    private static List<String> findings(List<RecordFact> facts) {
        var report = new VerificationReport(10);
        var scope = new ProofScope(LONG_AGO, LATER, LATER, Duration.ofMinutes(5), LONG_AGO, Map.of(0, Long.MAX_VALUE));
        var proof = new TopicVerifier(scope, report);
        facts.forEach(proof::take);
        proof.end();
        return report.newest().stream().map(Finding::toString).collect(Collectors.toList());
    }
}
