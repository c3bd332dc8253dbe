package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;

/** Errors of the protocol: {@code {"error":{message,type,param,code}}}. */
final class ErrorJson {
    private ErrorJson() {}

    static ObjectNode of(Failure failure) {
        ObjectNode envelope = ProtocolJson.object();
        envelope.set("error", error(failure));
        return envelope;
    }

    static ObjectNode error(Failure failure) {
        return ProtocolJson.object()
                .put("message", failure.message())
                .put("type", failure.type())
                .put("param", failure.param())
                .put("code", failure.code());
    }
}
