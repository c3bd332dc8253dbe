package dev.parley.platform.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.parley.domain.json.JsonBounds;
import dev.parley.domain.json.PlainDecimal;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Mappers of JSON with {@link JsonBounds} and exact numbers: a tree keeps each digit, and its text has no exponent. */
public final class ExactJson {
    /** Writes the numbers of lists and maps as those of trees. */
    private static final SimpleModule NUMBERS = new SimpleModule("numbers")
            .addSerializer(BigDecimal.class, new StdSerializer<BigDecimal>(BigDecimal.class) {
                private static final long serialVersionUID = 1L;

                @Override
                public void serialize(BigDecimal value, JsonGenerator json, SerializerProvider provider)
                        throws IOException {
                    if (json instanceof TokenBuffer) {
                        json.writeNumber(value); // as a number of the tree, which is exact, too
                    } else {
                        json.writeNumber(PlainDecimal.text(value));
                    }
                }
            });

    private ExactJson() {}

    /** A mapper of what callers, models and other systems send. */
    public static ObjectMapper request() {
        return exact(new ObjectMapper(JsonBounds.REQUEST.factory()));
    }

    /** A builder of such a mapper. */
    public static JsonMapper.Builder requestBuilder() {
        return JsonMapper.builder(JsonBounds.REQUEST.factory())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .addModule(NUMBERS)
                .nodeFactory(new ExactNodes());
    }

    /** A mapper of what this process wrote. */
    public static ObjectMapper stored() {
        return exact(new ObjectMapper(JsonBounds.STORED.factory()));
    }

    /** The same mapper, with exact numbers. */
    public static ObjectMapper exact(ObjectMapper mapper) {
        mapper.setNodeFactory(new ExactNodes());
        return mapper.registerModule(NUMBERS).enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    }

    /** Makes the numbers of trees; one with an exponent of thousands is a double, because nobody calculates with it. */
    private static final class ExactNodes extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        ExactNodes() {
            super(true); // zeros at the end stay: 1.10 is written 1.10
        }

        @Override
        public ValueNode numberNode(@Nullable BigDecimal value) {
            if (value == null) {
                return nullNode();
            }
            return PlainDecimal.isShort(value)
                    ? DecimalNode.valueOf(new PlainDecimal(value))
                    : numberNode(value.doubleValue());
        }
    }
}
