package dev.parley.channels.openai.request;

import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.MessageParts;
import java.util.List;

/** A message of a client's conversation. */
public sealed interface InputMessage {
    /** A system or developer message. */
    record Instruction(String text) implements InputMessage {}

    /** A user message. */
    record Question(List<Part> parts) implements InputMessage {
        public Question {
            parts = List.copyOf(parts);
        }

        public boolean isEmpty() {
            return MessageParts.isBlank(parts);
        }
    }

    /** An assistant message. */
    record Answer(String text, List<Call> calls) implements InputMessage {
        public Answer {
            calls = List.copyOf(calls);
        }
    }

    /** The result of a client's function. */
    record Result(String callId, String text) implements InputMessage {}

    /** A call of an assistant message. */
    record Call(String id, String name, String arguments) {}
}
