package dev.parley.platform.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.parley.domain.json.JsonBounds;
import dev.parley.domain.json.PlainDecimal;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.config.annotation.SerdeConfig.SerInclude;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Makes every mapper of JSON and YAML, each with its {@link JsonBounds} and with exact numbers: a tree keeps each digit,
 * and its text has no exponent ({@link PlainDecimal}). Those of Jackson 2 are {@link ExactJson}. A test
 * fails where another mapper is made.
 */
public final class JsonMappers {
    private static final int MAX_YAML = 4 << 20;
    private static final String MAX_AVRO = Integer.toString(64 << 20);

    private static final tools.jackson.databind.module.SimpleModule NUMBERS_3 =
            new tools.jackson.databind.module.SimpleModule("numbers")
                    .addSerializer(
                            BigDecimal.class,
                            new tools.jackson.databind.ser.std.StdSerializer<BigDecimal>(BigDecimal.class) {
                                @Override
                                public void serialize(
                                        BigDecimal value,
                                        tools.jackson.core.JsonGenerator json,
                                        tools.jackson.databind.SerializationContext context) {
                                    if (json instanceof tools.jackson.databind.node.TreeBuildingGenerator) {
                                        json.writeNumber(value); // as a number of the tree, which is exact, too
                                    } else {
                                        json.writeNumber(PlainDecimal.text(value));
                                    }
                                }
                            });

    private static final tools.jackson.databind.json.JsonMapper SHARED_3 =
            stored3Builder().build();

    private JsonMappers() {}

    /**
     * Sets the bounds of those readers that libraries make by themselves, such as the one of Micronaut. It must come
     * before the first of them.
     */
    public static void limitLibraries() {
        com.fasterxml.jackson.core.StreamReadConstraints.overrideDefaultStreamReadConstraints(
                JsonBounds.STORED.constraints());
        System.setProperty("org.apache.avro.limits.bytes.maxLength", MAX_AVRO);
        System.setProperty("org.apache.avro.limits.string.maxLength", MAX_AVRO);
        tools.jackson.core.StreamReadConstraints.overrideDefaultStreamReadConstraints(constraints(JsonBounds.STORED));
    }

    private static tools.jackson.core.StreamReadConstraints constraints(JsonBounds bounds) {
        return tools.jackson.core.StreamReadConstraints.builder()
                .maxNestingDepth(bounds.depth())
                .maxTokenCount(bounds.tokens())
                .maxNameLength(JsonBounds.MAX_NAME)
                .maxNumberLength(JsonBounds.MAX_NUMBER)
                .maxStringLength(bounds.string())
                .build();
    }

    /** A mapper of what callers, models and other systems send. */
    public static ObjectMapper request() {
        return ExactJson.request();
    }

    /** A builder of such a mapper. */
    public static JsonMapper.Builder requestBuilder() {
        return ExactJson.requestBuilder();
    }

    /** A mapper of what Parley wrote. */
    public static ObjectMapper stored() {
        return ExactJson.stored();
    }

    /** The mapper of Jackson 3 for what Parley wrote: definitions, and arguments that were read before. */
    public static tools.jackson.databind.json.JsonMapper shared3() {
        return SHARED_3;
    }

    /** A builder of such a mapper. */
    public static tools.jackson.databind.json.JsonMapper.Builder stored3Builder() {
        return tools.jackson.databind.json.JsonMapper.builder(tools.jackson.core.json.JsonFactory.builder()
                        .streamReadConstraints(constraints(JsonBounds.STORED))
                        .build())
                .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(tools.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .addModule(NUMBERS_3)
                .nodeFactory(new ExactNodes3());
    }

    /**
     * A mapper of the records that the HTTP API sends and takes, for those that stand in rows and files. As in
     * responses, a member that is null or empty is written: a reader of {@code data} always finds a list.
     */
    public static io.micronaut.json.JsonMapper bodies() {
        return Bodies.MAPPER;
    }

    /** Starts a context of beans, so it is made when it is first used. */
    private static final class Bodies {
        private static final io.micronaut.json.JsonMapper MAPPER = io.micronaut.serde.ObjectMapper.getDefault()
                .cloneWithConfiguration(
                        null,
                        new SerializationConfiguration() {
                            @Override
                            public SerInclude getInclusion() {
                                return SerInclude.ALWAYS;
                            }

                            @Override
                            public boolean isAlwaysSerializeErrorsAsList() {
                                return true;
                            }
                        },
                        null);
    }

    /** Makes the numbers of trees; one with an exponent of thousands is a double, because nobody calculates with it. */
    private static final class ExactNodes3 extends tools.jackson.databind.node.JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        @Override
        public tools.jackson.databind.node.ValueNode numberNode(@Nullable BigDecimal value) {
            if (value == null) {
                return nullNode();
            }
            return PlainDecimal.isShort(value)
                    ? new tools.jackson.databind.node.DecimalNode(new PlainDecimal(value))
                    : numberNode(value.doubleValue());
        }
    }

    /** A mapper of YAML that an operator wrote. */
    public static ObjectMapper yaml() {
        return ExactJson.exact(new ObjectMapper(yamlFactory()));
    }

    /** A factory of YAML readers and writers. */
    public static YAMLFactory yamlFactory() {
        var options = new LoaderOptions();
        options.setNestingDepthLimit(JsonBounds.REQUEST.depth());
        options.setCodePointLimit(MAX_YAML);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL) // as without a builder
                .build();
    }
}
