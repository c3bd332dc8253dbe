package dev.parley.channels.openai;

import dev.parley.channels.web.SayRequest.Part;
import java.util.List;

/** A message of a conversation as the client sends it. */
sealed interface InputMessage {
    /** What the calling program tells the agent: a system or developer message. */
    record Instruction(String text) implements InputMessage {}

    /** What the person says. */
    record Question(List<Part> parts) implements InputMessage {
        public Question {
            parts = List.copyOf(parts);
        }

        boolean isEmpty() {
            return parts.stream()
                    .allMatch(part -> part.text() != null && part.text().isBlank());
        }
    }

    /** What the agent said, or another one before it. */
    record Answer(String text, List<Call> calls) implements InputMessage {
        public Answer {
            calls = List.copyOf(calls);
        }
    }

    /** What a tool of the client gave. */
    record Result(String callId, String text) implements InputMessage {}

    /** An answer of before, by the id of its item. */
    record Reference(ResponseId id) implements InputMessage {}

    /** A call in an answer. */
    record Call(String id, String name, String arguments) {}
}
