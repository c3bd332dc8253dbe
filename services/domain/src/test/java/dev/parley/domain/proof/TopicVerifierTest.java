package dev.parley.domain.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn with a reply, a tool call and an approval, and findings if a record is missing, duplicate or late. */
class TopicVerifierTest {
    private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
    private static final String SESSION = "default/telegram:7";
    private static final UUID TURN = Ids.of("turn");
    private static final UUID CALL = Ids.of("call");
    private static final UUID APPROVAL = Ids.of("approval");
    private static final UUID REPLY = Ids.of("reply");

    private final List<RecordFact> history = new ArrayList<>();
    private Instant now = NOON.plus(Duration.ofHours(1));
    private Map<Integer, Long> delivered = Map.of(0, 1_000L);
    private VerificationReport report = new VerificationReport(100);

    TopicVerifierTest() {
        command("SubmitTurn", TURN);
        event(FactKind.OPENED, null);
        event(FactKind.ACCEPTED, TURN, fact -> fact.withWord("channel").withFlag(true));
        event(FactKind.STARTED, TURN, fact -> fact.withUntil(NOON.plus(Duration.ofMinutes(10))));
        outcome(TURN, "accepted:STARTED");
        event(FactKind.CALL, CALL, fact -> fact.withTurn(TURN).withWord("first").withMore("search"));
        event(
                FactKind.APPROVAL_REQUESTED,
                APPROVAL,
                fact -> fact.withTurn(TURN).withCall(CALL).withUntil(NOON.plus(Duration.ofMinutes(20))));
        command("DecideApproval", Ids.of("yes"));
        outcome(Ids.of("yes"), "accepted:DONE");
        event(
                FactKind.APPROVAL_DECIDED,
                APPROVAL,
                fact -> fact.withCall(CALL).withWord("once").withFlag(true));
        event(FactKind.CALL_ENDED, CALL, fact -> fact.withTurn(TURN).withWord("COMPLETED"));
        event(FactKind.ENDED, TURN, fact -> fact.withWord("completed"));
        history.add(RecordFact.of(FactKind.REPLY, SESSION, place("replies"))
                .id(REPLY)
                .turn(TURN)
                .word("FINAL")
                .more("telegram")
                .build());
        outcome(TURN, "finished:COMPLETED");
    }

    private Place place(String topic) {
        return new Place(topic, 0, history.size(), NOON.plusSeconds(history.size()));
    }

    private void command(String type, UUID id) {
        history.add(RecordFact.of(FactKind.COMMAND, SESSION, place("turn-commands"))
                .id(id)
                .word(type)
                .more("telegram")
                .build());
    }

    private void outcome(UUID id, String word) {
        history.add(RecordFact.of(FactKind.OUTCOME, SESSION, place("turn-store"))
                .id(id)
                .word(word)
                .build());
    }

    private void event(FactKind kind, UUID id) {
        event(kind, id, fact -> fact);
    }

    private void event(FactKind kind, UUID id, UnaryOperator<RecordFact> change) {
        history.add(change.apply(
                RecordFact.of(kind, SESSION, place("turn-events")).id(id).build()));
    }

    private RecordFact fact(FactKind kind) {
        return history.stream().filter(fact -> fact.kind() == kind).findFirst().orElseThrow();
    }

    private Set<FindingKind> findingsWithout(FactKind... kinds) {
        history.removeIf(fact -> Set.of(kinds).contains(fact.kind()));
        return findings();
    }

    private Set<FindingKind> findingsWithDuplicate(FactKind kind) {
        history.add(history.indexOf(fact(kind)), fact(kind));
        return findings();
    }

    /** Findings of the history. Events are numbered last, so their sequence numbers have no gaps. */
    private Set<FindingKind> findings() {
        var numbers = new HashMap<String, Long>();
        return findings(history.stream()
                .map(fact -> fact.kind().isEvent() ? fact.withSeq(numbers.merge(fact.session(), 1L, Long::sum)) : fact)
                .toList());
    }

    private Set<FindingKind> findings(List<RecordFact> facts) {
        report = new VerificationReport(100);
        var scope = new ProofScope(
                NOON.minusSeconds(60), NOON.plusSeconds(600), now, Duration.ofMinutes(5), Instant.EPOCH, delivered);
        var proof = new TopicVerifier(scope, report);
        facts.forEach(proof::take);
        proof.end();
        return report.newest().stream()
                .map(Finding::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));
    }

    @Test
    @Tag("O13")
    void verifiesAndCountsACompleteHistory() {
        assertEquals(Set.of(), findings());
        var counts = new TreeMap<>(report.counts());
        assertEquals(Map.of("turn", 1L), counts.get("messages of telegram"));
        assertEquals(Map.of("done", 1L), counts.get("commands DecideApproval"));
        assertEquals(Map.of("completed", 1L), counts.get("turns of channel"));
        assertEquals(Map.of("result", 1L), counts.get("tool calls"));
        assertEquals(Map.of("once", 1L), counts.get("approvals"));
        assertEquals(Map.of("dealt with", 1L), counts.get("deliveries of telegram"));
    }

    @Test
    @Tag("O13")
    void findsMissingRecords() {
        // Then
        assertEquals(
                Set.of(FindingKind.TURN_WITHOUT_MESSAGE), new TopicVerifierTest().findingsWithout(FactKind.COMMAND));
        assertEquals(
                Set.of(FindingKind.TURN_NOT_ON_EVENTS, FindingKind.END_WITHOUT_TURN, FindingKind.REPLY_WITHOUT_TURN),
                new TopicVerifierTest().findingsWithout(FactKind.ACCEPTED));
        assertEquals(
                Set.of(FindingKind.MESSAGE_WITHOUT_TURN, FindingKind.COMMAND_WITHOUT_OUTCOME),
                new TopicVerifierTest()
                        .findingsWithout(
                                FactKind.ACCEPTED,
                                FactKind.STARTED,
                                FactKind.CALL,
                                FactKind.APPROVAL_REQUESTED,
                                FactKind.APPROVAL_DECIDED,
                                FactKind.CALL_ENDED,
                                FactKind.ENDED,
                                FactKind.REPLY,
                                FactKind.OUTCOME));
        assertEquals(
                Set.of(FindingKind.COMMAND_WITHOUT_OUTCOME), new TopicVerifierTest().findingsWithout(FactKind.OUTCOME));
        assertEquals(Set.of(FindingKind.TURN_WITHOUT_END), new TopicVerifierTest().findingsWithout(FactKind.ENDED));
        assertEquals(Set.of(FindingKind.REPLY_MISSING), new TopicVerifierTest().findingsWithout(FactKind.REPLY));
        assertEquals(Set.of(FindingKind.CALL_WITHOUT_RESULT), callWithoutEnd());
        assertEquals(Set.of(FindingKind.RESULT_WITHOUT_CALL), new TopicVerifierTest().findingsWithout(FactKind.CALL));
        assertEquals(
                Set.of(FindingKind.CALL_WITHOUT_ANSWER),
                new TopicVerifierTest().findingsWithout(FactKind.APPROVAL_DECIDED));
        assertEquals(
                Set.of(FindingKind.ANSWER_WITHOUT_QUESTION),
                new TopicVerifierTest().findingsWithout(FactKind.APPROVAL_REQUESTED));
        assertEquals(
                Set.of(FindingKind.TURN_NOT_STARTED),
                new TopicVerifierTest()
                        .findingsWithout(
                                FactKind.STARTED,
                                FactKind.CALL,
                                FactKind.APPROVAL_REQUESTED,
                                FactKind.APPROVAL_DECIDED,
                                FactKind.CALL_ENDED,
                                FactKind.ENDED,
                                FactKind.REPLY));
    }

    private static Set<FindingKind> callWithoutEnd() {
        return new TopicVerifierTest().findingsWithout(FactKind.CALL_ENDED);
    }

    @Test
    @Tag("O13")
    void findsDuplicateRecords() {
        assertEquals(
                Set.of(),
                new TopicVerifierTest().findingsWithDuplicate(FactKind.COMMAND),
                "a duplicate of a command is by design");
        assertEquals(Set.of(FindingKind.TURN_TWICE), new TopicVerifierTest().findingsWithDuplicate(FactKind.ACCEPTED));
        assertEquals(
                Set.of(FindingKind.TURN_ENDED_TWICE), new TopicVerifierTest().findingsWithDuplicate(FactKind.ENDED));
        assertEquals(Set.of(FindingKind.REPLY_TWICE), new TopicVerifierTest().findingsWithDuplicate(FactKind.REPLY));
        assertEquals(Set.of(FindingKind.CALL_TWICE), new TopicVerifierTest().findingsWithDuplicate(FactKind.CALL));
        assertEquals(
                Set.of(FindingKind.CALL_ENDED_TWICE),
                new TopicVerifierTest().findingsWithDuplicate(FactKind.CALL_ENDED));
        assertEquals(
                Set.of(FindingKind.APPROVAL_ENDED_TWICE),
                new TopicVerifierTest().findingsWithDuplicate(FactKind.APPROVAL_DECIDED));
        outcome(TURN, "refused:session_busy");
        assertEquals(Set.of(FindingKind.TWO_OUTCOMES), findings());
    }

    @Test
    void findsSequenceErrorsAndForeignRecords() {
        List<RecordFact> gap =
                List.of(fact(FactKind.OPENED).withSeq(4), fact(FactKind.STARTED).withSeq(7));
        assertTrue(findings(gap).contains(FindingKind.EVENTS_MISSING));
        List<RecordFact> double1 =
                List.of(fact(FactKind.OPENED).withSeq(4), fact(FactKind.OPENED).withSeq(4));
        assertEquals(Set.of(FindingKind.EVENT_TWICE), findings(double1));
        history.add(RecordFact.foreign(SESSION, place("turn-events"), "it cannot be read"));
        assertEquals(Set.of(FindingKind.FOREIGN_RECORD), findings());
    }

    @Test
    void turnsUnderWayAreNotFindings() {
        now = NOON.plusSeconds(60);
        assertEquals(
                Set.of(),
                findingsWithout(FactKind.APPROVAL_DECIDED, FactKind.CALL_ENDED, FactKind.ENDED, FactKind.REPLY));
        assertEquals(Map.of("under way", 1L), report.counts().get("turns of channel"));
        assertEquals(Map.of("under way", 1L), report.counts().get("approvals"));

        // When the approval is answered and the turn has time left
        now = NOON.plus(Duration.ofMinutes(26));
        assertEquals(Set.of(FindingKind.APPROVAL_WITHOUT_END), findings());
        now = NOON.plus(Duration.ofMinutes(36));
        assertEquals(Set.of(FindingKind.APPROVAL_WITHOUT_END, FindingKind.TURN_WITHOUT_END), findings());
    }

    @Test
    void findsAnUndeliveredReply() {
        delivered = Map.of(0, 3L);
        assertEquals(Set.of(FindingKind.REPLY_NOT_DELIVERED), findings());
        Place reply = fact(FactKind.REPLY).place();
        history.add(
                RecordFact.deadLetter(SESSION, place("dead-letters"), "replies", "0", Long.toString(reply.offset())));
        assertEquals(Set.of(FindingKind.REPLY_DEAD_LETTER), findings());
    }

    @Test
    void findsADeadLetteredCommandUntilItHasAnOutcome() {
        command("SubmitTurn", Ids.of("other"));
        Place place = history.getLast().place();
        history.add(RecordFact.deadLetter(
                SESSION, place("dead-letters"), "turn-commands", "0", Long.toString(place.offset())));
        assertEquals(Set.of(FindingKind.COMMAND_DEAD_LETTER), findings());
        outcome(Ids.of("other"), "refused:unknown_agent");
        assertEquals(Set.of(), findings());
    }

    @Test
    void erasedSessionsAreNotFindings() {
        event(FactKind.ERASED, null);
        assertEquals(Set.of(), findingsWithout(FactKind.ENDED, FactKind.CALL_ENDED, FactKind.REPLY, FactKind.OUTCOME));
        assertEquals(Map.of("erased", 1L), report.counts().get("messages of telegram"));
    }

    @Test
    void countsButDoesNotJudgeTurnsBegunBeforeTheScope() {
        List<RecordFact> remaining = history.stream()
                .filter(fact ->
                        !fact.place().at().isBefore(fact(FactKind.CALL).place().at()))
                .map(fact ->
                        fact.kind().isEvent() ? fact.withSeq(40 + fact.place().offset()) : fact)
                .toList();
        Set<FindingKind> found = findings(remaining);
        assertEquals(Map.of("began before what was read", 2L), report.counts().get("not judged"));
        assertTrue(!found.contains(FindingKind.END_WITHOUT_TURN) && !found.contains(FindingKind.REPLY_WITHOUT_TURN));
    }

    @Test
    void commandToAnotherUsersSessionNeedsNoOutcome() {
        history.add(RecordFact.of(FactKind.COMMAND, SESSION, place("turn-commands"))
                .id(Ids.of("theirs"))
                .word("SubmitTurn")
                .more("api")
                .who("ann")
                .flag(true)
                .build());
        assertEquals(Set.of(), findings());
        assertEquals(
                Map.of("refused: another user's session", 1L), report.counts().get("messages of api"));
    }

    @Test
    void onlyMessagesDuringAnImportMayLackAnOutcome() {
        command("ImportSession", Ids.of("piece", 0));
        command("SubmitTurn", Ids.of("during"));
        command("ImportSession", Ids.of("piece", 1));
        List.of(0, 1).forEach(piece -> outcome(Ids.of("piece", piece), "accepted:DONE"));
        assertEquals(Set.of(), findings());
        command("SubmitTurn", Ids.of("after"));
        assertEquals(Set.of(FindingKind.MESSAGE_WITHOUT_TURN), findings());
        assertEquals(Ids.of("after").toString(), report.newest().getFirst().id());
    }

    @Test
    void onlyTheNewestFindingsAreKeptAndAllAreCounted() {
        for (int i = 0; i < 50; i++) {
            command("SubmitTurn", Ids.of("lost", i));
        }
        findings();
        assertEquals(50, report.total());
        var limited = new VerificationReport(3);
        report.newest().forEach(limited::add);
        assertEquals(50, limited.total());
        assertEquals(report.newest().subList(0, 3), limited.newest());
    }
}
