package dev.parley.channels.openai;

import dev.parley.channels.openai.request.InputMessage;
import dev.parley.channels.openai.request.InputMessage.Answer;
import dev.parley.channels.openai.request.InputMessage.Instruction;
import dev.parley.channels.openai.request.InputMessage.Question;
import dev.parley.channels.openai.request.InputMessage.Result;
import dev.parley.channels.openai.request.InputMessageReader;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.domain.Sha256;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Digest of a conversation as its client knows it: two that are equal have the same messages, calls and results.
 * Instructions are left out, because each request sends its own.
 */
final class ContextDigest {
    private ContextDigest() {}

    /** The digest of these messages after those of another digest, or of none. */
    static String of(@Nullable String before, List<InputMessage> messages) {
        String digest = before == null ? Sha256.hex("") : before;
        for (InputMessage message : messages) {
            for (String line : lines(message)) {
                digest = Sha256.hex(digest + line);
            }
        }
        return digest;
    }

    /** The digest of a conversation up to the output of a response. */
    static String after(StoredResponse response) {
        if (response.result() == null) {
            return response.context();
        }
        List<RequestFields> output =
                RequestFields.of(ProtocolJson.parse(response.result())).objects("output");
        return of(response.context(), InputMessageReader.messages(output));
    }

    /** One line for each thing that was said; a message with calls is the same as a message and calls. */
    private static List<String> lines(InputMessage message) {
        var lines = new ArrayList<String>();
        switch (message) {
            case Instruction _ -> {}
            case Question question -> lines.add("user " + question.parts());
            case Answer answer -> {
                if (!answer.text().isBlank()) {
                    lines.add("assistant " + answer.text());
                }
                answer.calls().forEach(call -> lines.add("call " + call.id()));
            }
            case Result result -> lines.add("result " + result.callId() + " " + result.text());
        }
        return lines;
    }
}
