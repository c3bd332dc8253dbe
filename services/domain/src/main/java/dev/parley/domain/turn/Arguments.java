package dev.parley.domain.turn;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The scalar arguments of the tools that the machine carries out itself. */
record Arguments(Map<String, String> values) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Reads a JSON object, or nothing where the model wrote something else. Nested values are passed over. */
    static Optional<Arguments> of(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            var values = new HashMap<String, String>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken().isScalarValue()) {
                    values.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
            return Optional.of(new Arguments(values));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    String text(String name) {
        return values.getOrDefault(name, "");
    }

    boolean flag(String name) {
        return text(name).equals("true");
    }
}
