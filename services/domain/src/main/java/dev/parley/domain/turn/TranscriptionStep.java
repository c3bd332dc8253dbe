package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.TurnEvent.MessageAppended;
import dev.parley.domain.protocol.TurnEvent.ModelRequested;
import dev.parley.domain.protocol.TurnEvent.Transcribed;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Transcription: audio in a turn's input is transcribed before a model call, and treated as text from then on. */
final class TranscriptionStep {
    private static final String UNSUPPORTED =
            "I can't listen to recordings here. Please write what you would like to say.";

    private TranscriptionStep() {}

    /** Whether the model call of this step waits for a transcript, or is not made because nothing was transcribed. */
    static boolean startTranscription(TurnDraft draft, int step) {
        ActiveTurn turn = draft.turn();
        var recordings = untranscribedRecordings(turn);
        if (recordings.isEmpty() || ModelCalls.exceedsBudget(draft, draft.agent())) {
            return false;
        }
        if (draft.agent().transcriber().isPresent()) {
            var hashes = recordings.stream().map(Block.File::sha256).toList();
            request(draft, step, Ids.of("transcript", turn.turnId(), step, String.join(" ", hashes)), recordings, 1);
            return true;
        }
        boolean mute = step == 0 && isAudioOnly(QuietContext.own(turn.turn().content()));
        if (mute) {
            refuse(draft);
        }
        return mute;
    }

    private static List<Block.File> untranscribedRecordings(ActiveTurn turn) {
        return Stream.concat(Stream.of(turn.turn().content()), turn.steered().stream())
                .flatMap(List::stream)
                .filter(block -> block instanceof Block.File file && file.isUnheard())
                .map(Block.File.class::cast)
                .distinct()
                .toList();
    }

    private static boolean isAudioOnly(List<Block> content) {
        return content.stream().allMatch(block -> switch (block) {
            case Block.Text text -> text.text().isBlank();
            case Block.File file -> file.isRecording();
            case Block.ToolCall _, Block.ToolResult _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ -> false;
        });
    }

    private static void refuse(TurnDraft draft) {
        ActiveTurn turn = draft.turn();
        var message = Message.text(Role.ASSISTANT, UNSUPPORTED);
        draft.emit(new MessageAppended(draft.turnMeta(), turn.nextMessage(), message));
        TurnLifecycle.complete(draft, UNSUPPORTED, List.of(), FinishReason.STOP);
    }

    /** The turn's agent with its transcription model. */
    private static Agent transcriber(TurnDraft draft) {
        Agent agent = draft.agent();
        return agent.transcriber().map(agent::instead).orElse(agent);
    }

    static void request(TurnDraft draft, int step, UUID callId, List<Block.File> recordings, int attempt) {
        Agent transcriber = transcriber(draft);
        var requested = new ModelRequested(
                draft.turnMeta(),
                callId,
                step,
                attempt,
                transcriber.provider(),
                transcriber.model(),
                true,
                recordings,
                draft.now().plus(TurnMachine.LEASE));
        draft.emit(requested);
        draft.effect(modelRequest(draft, transcriber, requested));
    }

    private static TurnEffect.RequestModel modelRequest(TurnDraft draft, Agent transcriber, ModelRequested requested) {
        ActiveTurn turn = draft.turn();
        var message = new Message(Role.USER, List.copyOf(requested.recordings()), false, null, null);
        return new TurnEffect.RequestModel(
                requested.callId(),
                turn.turnId(),
                requested.step(),
                requested.attempt(),
                ModelRequest.Purpose.TRANSCRIPT,
                transcriber,
                null,
                0,
                0,
                List.of(message),
                null,
                List.of(),
                false,
                turn.turn().user(),
                requested.leaseUntil(),
                turn.deadline());
    }

    static void onTranscribed(TurnDraft draft, ModelCall call, ModelAnswered result) {
        if (draft.turn().cancelling() != null) {
            TurnLifecycle.endAsCancelled(draft);
            return;
        }
        var texts = result.blocks().stream()
                .filter(Block.Text.class::isInstance)
                .map(block -> ((Block.Text) block).text().strip())
                .toList();
        var transcribed = new ArrayList<Block.File>();
        for (Block.File recording : call.recordings()) {
            transcribed.add(
                    recording.withTranscript(transcribed.size() < texts.size() ? texts.get(transcribed.size()) : ""));
        }
        emitTranscribed(draft, call, transcribed, result);
        ModelCalls.request(draft, draft.turn().step());
    }

    /** Marks recordings as not transcribed. A turn without any other content fails. */
    static void onTranscriptionFailed(TurnDraft draft, ModelCall call, ModelFailed failure) {
        ActiveTurn turn = draft.turn();
        boolean mute =
                turn.step() == 0 && isAudioOnly(QuietContext.own(turn.turn().content()));
        var silent = call.recordings().stream()
                .map(recording -> recording.withTranscript(""))
                .toList();
        emitTranscribed(draft, call, silent, emptyAnswer(draft, call));
        if (mute) {
            TurnLifecycle.fail(draft, failure.category(), failure.detail());
        } else {
            ModelCalls.request(draft, turn.step());
        }
    }

    private static ModelAnswered emptyAnswer(TurnDraft draft, ModelCall call) {
        Agent transcriber = transcriber(draft);
        return new ModelAnswered(
                call.callId(),
                call.attempt(),
                List.of(),
                FinishReason.ERROR,
                Usage.NONE,
                transcriber.provider(),
                transcriber.model(),
                null);
    }

    private static void emitTranscribed(
            TurnDraft draft, ModelCall call, List<Block.File> recordings, ModelAnswered result) {
        draft.emit(new Transcribed(
                draft.turnMeta(),
                call.callId(),
                draft.turn().step(),
                result.attempt(),
                recordings,
                result.usage(),
                result.provider(),
                result.model(),
                result.raw()));
    }
}
