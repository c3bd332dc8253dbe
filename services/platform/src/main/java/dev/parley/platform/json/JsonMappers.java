package dev.parley.platform.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.parley.domain.json.JsonBounds;
import org.yaml.snakeyaml.LoaderOptions;

/** Makes every mapper of JSON and YAML, each with its {@link JsonBounds}. A test fails where another one is made. */
public final class JsonMappers {
    private static final int MAX_YAML = 4 << 20;
    private static final String MAX_AVRO = Integer.toString(64 << 20);

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
        return new ObjectMapper(JsonBounds.REQUEST.factory());
    }

    /** A builder of such a mapper. */
    public static JsonMapper.Builder requestBuilder() {
        return JsonMapper.builder(JsonBounds.REQUEST.factory());
    }

    /** A mapper of what Parley wrote. */
    public static ObjectMapper stored() {
        return new ObjectMapper(JsonBounds.STORED.factory());
    }

    /** The mapper of Jackson 3 for what Parley wrote: definitions, and arguments that were read before. */
    public static tools.jackson.databind.json.JsonMapper shared3() {
        return SHARED_3;
    }

    /** A builder of such a mapper. */
    public static tools.jackson.databind.json.JsonMapper.Builder stored3Builder() {
        return tools.jackson.databind.json.JsonMapper.builder(tools.jackson.core.json.JsonFactory.builder()
                .streamReadConstraints(constraints(JsonBounds.STORED))
                .build());
    }

    /** A mapper of YAML that an operator wrote. */
    public static ObjectMapper yaml() {
        return new ObjectMapper(yamlFactory());
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
