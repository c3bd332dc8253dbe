package dev.parley.channels.openai.request;

import dev.parley.channels.contract.Part;
import dev.parley.channels.openai.request.InputMessage.Answer;
import dev.parley.channels.openai.request.InputMessage.Call;
import dev.parley.channels.openai.request.InputMessage.Instruction;
import dev.parley.channels.openai.request.InputMessage.Question;
import dev.parley.channels.openai.request.InputMessage.Result;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client's conversation, split after the agent's last message: the rest is new. A conversation that ends with results
 * has nothing new: the results are submitted, and the turn that waits for them continues.
 *
 * @param instructions all system messages; empty for none
 * @param history earlier messages, without instructions
 * @param newInstructions instructions among the new messages
 * @param results results of the calls of the agent's last message
 * @param questions new user messages, in order; empty where it ends with results or with instructions
 * @param submitsResults whether it ends with results
 * @param all all messages, in order
 */
public record ClientTranscript(
        String instructions,
        List<InputMessage> history,
        String newInstructions,
        List<Result> results,
        List<Question> questions,
        boolean submitsResults,
        List<InputMessage> all) {
    private static final int MAX_TITLE = 80;

    public ClientTranscript {
        history = List.copyOf(history);
        results = List.copyOf(results);
        questions = List.copyOf(questions);
        all = List.copyOf(all);
    }

    /**
     * Splits a conversation.
     *
     * @param param the field that contains it
     * @param additional instructions of another field, or null
     * @throws ProtocolException 400 without a new message, or for unpaired calls and results
     */
    public static ClientTranscript of(List<InputMessage> lines, String param, @Nullable String additional) {
        int cut = 1 + Math.max(lastIndex(lines, Answer.class), lastIndex(lines, Result.class));
        List<Result> results = results(lines.subList(0, cut));
        if (cut == lines.size() && !results.isEmpty()) {
            checkAnswered(lines, results, param);
            return new ClientTranscript("", List.of(), "", results, List.of(), true, lines);
        }
        List<InputMessage> history = lines.subList(0, cut).stream()
                .filter(line -> !(line instanceof Instruction))
                .toList();
        checkPairs(history, param);
        List<InputMessage> now = lines.subList(cut, lines.size());
        return new ClientTranscript(
                instructions(additional, lines),
                history,
                instructions(additional, now),
                results,
                questions(now, param),
                false,
                lines);
    }

    /** The results that these messages end with, in order. */
    private static List<Result> results(List<InputMessage> lines) {
        int from = lines.size();
        while (from > 0 && lines.get(from - 1) instanceof Result) {
            from--;
        }
        return lines.subList(from, lines.size()).stream()
                .map(Result.class::cast)
                .toList();
    }

    /** The user messages, one of which at least is not empty unless there are instructions. */
    private static List<Question> questions(List<InputMessage> lines, String param) {
        if (lines.isEmpty()) {
            throw ProtocolException.invalid(
                    param,
                    "The last message is the agent's (role 'assistant'), which is not continued: end with a message of"
                            + " the role 'user', 'developer' or 'system'.");
        }
        List<Question> questions = lines.stream()
                .filter(Question.class::isInstance)
                .map(Question.class::cast)
                .toList();
        if (questions.stream().allMatch(Question::isEmpty)
                && instructions(null, lines).isEmpty()) {
            throw ProtocolException.invalid(param, "The last message must not be empty.");
        }
        return questions;
    }

    /** Each result is of a call made here, and each call right before the results has one. */
    private static void checkAnswered(List<InputMessage> lines, List<Result> results, String param) {
        for (Result result : results) {
            if (ClientCallId.parse(result.callId()).isEmpty()) {
                throw ProtocolException.unsupported(
                        param,
                        "The input ends with the result of the call '%s', which no agent made here."
                                .formatted(result.callId()));
            }
        }
        Set<String> resultIds = results.stream().map(Result::callId).collect(Collectors.toSet());
        for (int i = lines.size() - results.size() - 1; i >= 0 && lines.get(i) instanceof Answer answer; i--) {
            for (Call call : answer.calls()) {
                if (!resultIds.contains(call.id())) {
                    throw noResult(call.id(), param);
                }
            }
        }
    }

    private static ProtocolException noResult(String call, String param) {
        return ProtocolException.invalid(param, "The call '%s' has no result.".formatted(call));
    }

    private static int lastIndex(List<InputMessage> lines, Class<? extends InputMessage> kind) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (kind.isInstance(lines.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static String instructions(@Nullable String additional, List<InputMessage> lines) {
        return Stream.concat(
                        Stream.ofNullable(additional),
                        lines.stream().filter(Instruction.class::isInstance).map(line -> ((Instruction) line).text()))
                .filter(text -> !text.isBlank())
                .collect(Collectors.joining("\n\n"));
    }

    /** Each call is followed by its result, as models require. */
    private static void checkPairs(List<InputMessage> history, String param) {
        Set<String> open = new HashSet<>();
        boolean calling = false;
        for (InputMessage line : history) {
            boolean isCall = line instanceof Answer answer && !answer.calls().isEmpty();
            if (line instanceof Result result) {
                if (!open.remove(result.callId())) {
                    throw ProtocolException.invalid(
                            param, "There is no call '%s' before its result.".formatted(result.callId()));
                }
            } else if (!open.isEmpty() && !(isCall && calling)) {
                break;
            }
            if (line instanceof Answer answer) {
                answer.calls().stream().map(Call::id).forEach(open::add);
            }
            calling = isCall;
        }
        if (!open.isEmpty()) {
            throw noResult(open.iterator().next(), param);
        }
    }

    /**
     * The new messages, preceded by instructions: those of a program are part of its message, and visible to
     * guardrails.
     *
     * @param instructions those that the session does not know yet
     */
    public List<Part> message(String instructions) {
        if (questions.isEmpty()) {
            return List.of(MessageParts.text(instructions));
        }
        return MessageParts.join(
                List.of(instructions), questions.stream().map(Question::parts).toList());
    }

    /** The title of a session with this conversation: its first words. */
    public String title() {
        Optional<String> first = Stream.concat(history.stream(), questions.stream())
                .filter(Question.class::isInstance)
                .flatMap(line -> ((Question) line).parts().stream())
                .map(Part::text)
                .filter(Objects::nonNull)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
        String title = first.map(text -> text.lines().findFirst().orElse("")).orElse("Conversation");
        return title.length() <= MAX_TITLE
                ? title
                : title.substring(
                                0,
                                title.offsetByCodePoints(
                                        0, Math.min(MAX_TITLE - 1, title.codePointCount(0, title.length()))))
                        + "…";
    }
}
