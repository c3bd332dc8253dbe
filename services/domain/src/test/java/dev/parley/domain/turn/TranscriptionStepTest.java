package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TranscriptionStepTest {
    private static final Block.File VOICE = recording("a");
    private final SessionFixture session = new SessionFixture();

    private static Block.File recording(String hash) {
        return new Block.File("voice.ogg", "audio/ogg", 9, hash, null, null);
    }

    private void hasATranscriber() {
        session.agentIs(FixedDefinitions.agent(
                Agent.DEFAULT,
                AgentMode.ALL,
                FixedDefinitions.LIMITS,
                Map.of(Agent.TRANSCRIBER, "listener/whisper", Agent.FALLBACK, "other/model-2")));
    }

    private void transcriberSays(String... texts) {
        var blocks = List.of(texts).stream().map(Block::text).toArray(Block[]::new);
        session.take(session.answer(session.askedForTranscript(), FinishReason.STOP, blocks));
    }

    @Test
    @Tag("P51")
    void answersTheTranscriptOfAVoiceMessage() {
        // Given
        hasATranscriber();
        UUID turn = session.says(MailboxMode.FOLLOWUP, VOICE);

        // When
        transcriberSays(" what time is it? ");
        session.modelAnswers("noon");

        // Then
        var request = session.askedForTranscript();
        assertEquals(
                "listener/whisper",
                request.agent().provider() + "/" + request.agent().model());
        assertEquals(List.of("user: voice.ogg: what time is it?"), session.shown());
        session.replies("noon");
        assertEquals("what time is it?", session.finished(turn).text());
        assertEquals(200, session.finished(turn).usage().tokens(), "the transcript's tokens count, too");
    }

    @Test
    @Tag("P51")
    void asksForTextWithoutATranscriber() {
        // When
        UUID turn = session.says(MailboxMode.FOLLOWUP, VOICE);

        // Then
        assertEquals(List.of(), session.effects(TurnEffect.RequestModel.class));
        assertEquals(TurnState.COMPLETED, session.finished(turn).state());
        assertTrue(
                session.finished(turn).reply().contains("write"),
                session.finished(turn).reply());
        session.isIdle();
    }

    @Test
    void answersTheTextOfAMessageWithoutATranscriber() {
        // When
        session.says(MailboxMode.FOLLOWUP, VOICE, Block.text("my new song"));
        session.modelAnswers("nice");

        // Then
        assertEquals(List.of("user: voice.ogg: null my new song"), session.shown());
        session.replies("nice");
    }

    @Test
    void aTranscriptThatFailsIsTriedAgainAndThenTheTurnFails() {
        // Given
        hasATranscriber();
        UUID turn = session.says(MailboxMode.FOLLOWUP, VOICE);

        // When
        for (int attempt = 1; attempt <= FixedDefinitions.LIMITS.modelAttempts(); attempt++) {
            assertEquals(attempt, session.askedForTranscript().attempt());
            session.take(session.failure(session.askedForTranscript(), ErrorCategory.SERVER));
            session.after(Duration.ofSeconds(4));
        }

        // Then
        assertEquals(TurnState.FAILED, session.finished(turn).state());
        assertEquals(
                List.of(ModelRequest.Purpose.TRANSCRIPT),
                session.events(TurnEvent.ModelCallFailed.class).stream()
                        .map(TurnEvent.ModelCallFailed::purpose)
                        .distinct()
                        .toList());
        session.exchanges("are you there?", "yes");
        session.replies("yes");
    }

    @Test
    void failedTranscriptDoesNotBlockTheText() {
        // Given
        hasATranscriber();
        session.says(MailboxMode.FOLLOWUP, VOICE, Block.text("listen"));

        // When
        session.take(session.failure(session.askedForTranscript(), ErrorCategory.INVALID_REQUEST));
        session.modelAnswers("I hear nothing");

        // Then
        assertEquals(List.of("user: voice.ogg:  listen"), session.shown());
        session.replies("I hear nothing");
    }

    @Test
    void transcribesAVoiceMessageOfAJoinedTurnBeforeTheNextStep() {
        // Given
        hasATranscriber();
        session.says("search, please");
        session.modelCalls(SessionFixture.call("c1", "search", "{}"));

        // When
        session.says(MailboxMode.STEER, recording("b"), recording("c"));
        session.toolAnswers("c1", "found");
        transcriberSays("only the new ones", "thanks");
        session.modelAnswers("done");

        // Then
        assertEquals(
                List.of(
                        "user: search, please",
                        "assistant: search(c1)",
                        "tool: c1: found",
                        "user: voice.ogg: only the new ones voice.ogg: thanks"),
                session.shown());
        session.replies("done");
    }

    @Test
    void cancelsATurnDuringItsTranscription() {
        // Given
        hasATranscriber();
        UUID turn = session.says(MailboxMode.FOLLOWUP, VOICE);

        // When
        session.cancels(turn);
        transcriberSays("too late");

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(turn).state());
        session.isIdle();
    }

    @Test
    void retriesATranscriptionAfterItsLease() {
        // Given
        hasATranscriber();
        session.says(MailboxMode.FOLLOWUP, VOICE);

        // When
        session.after(TurnMachine.LEASE);
        transcriberSays("hello");
        session.modelAnswers("hi");

        // Then
        assertEquals(2, session.askedForTranscript().attempt());
        session.replies("hi");
    }

    @Test
    void tooLongRecordingDoesNotCompactTheContext() {
        // Given
        hasATranscriber();
        session.exchanges("hi", "hello");
        UUID turn = session.says(MailboxMode.FOLLOWUP, VOICE);

        // When
        session.take(session.failure(session.askedForTranscript(), ErrorCategory.CONTEXT_TOO_LONG));

        // Then
        assertEquals(0, session.summariesAsked());
        assertEquals(TurnState.FAILED, session.finished(turn).state());
        session.isIdle();
    }
}
