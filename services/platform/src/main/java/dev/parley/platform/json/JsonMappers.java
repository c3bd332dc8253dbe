package dev.parley.platform.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.parley.domain.json.JsonBounds;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.config.annotation.SerdeConfig.SerInclude;
import java.io.UncheckedIOException;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Makes every mapper of JSON and YAML, each with its {@link JsonBounds} and with exact numbers ({@link ExactJson}). They
 * are of Jackson 2; one of Jackson 3 is for the library that wants it. A test fails where another mapper is made.
 */
public final class JsonMappers {
    private static final int MAX_YAML = 4 << 20;
    private static final String MAX_AVRO = Integer.toString(64 << 20);

    private static final ObjectMapper SHARED = stored().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

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

    /**
     * The mapper of definitions, arguments and results. Text after a value is an error: {@code 12 apples} is no number.
     */
    public static ObjectMapper shared() {
        return SHARED;
    }

    /**
     * The tree of a text that was valid when it was stored, or that a library wrote.
     *
     * @throws UncheckedIOException if it is not JSON
     */
    public static JsonNode tree(String json) {
        try {
            return SHARED.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The mapper that the MCP SDK wants, which speaks Jackson 3: for its messages, which are maps and records. */
    public static tools.jackson.databind.json.JsonMapper mcp() {
        return tools.jackson.databind.json.JsonMapper.builder(tools.jackson.core.json.JsonFactory.builder()
                        .streamReadConstraints(constraints(JsonBounds.STORED))
                        .build())
                .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();
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
