package dev.parley.platform.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.turn.ArgumentSchemas;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledSchemasTest {
    private static final String NUMBER = "{'type':'object','properties':{'n':{'type':'integer'}}%s}";

    private final CompiledSchemas schemas = new CompiledSchemas();
    private final ArgumentSchemas decision = schemas.decision("default");

    private List<String> errors(String schema, String arguments) {
        return decision.errors(schema.replace('\'', '"'), arguments.replace('\'', '"'));
    }

    @Test
    @Tag("I134")
    void reportsArgumentsThatViolateTheSchema() {
        String schema = NUMBER.formatted("");

        assertEquals(List.of(), errors(schema, "{'n':1}"));
        assertEquals(List.of("/n: string found, integer expected"), errors(schema, "{'n':'one'}"));
        assertEquals(List.of("the arguments are not a JSON object"), errors(schema, "[1]"));
        assertEquals(1, errors(schema, "{'n':").size());
        assertEquals(List.of("the arguments are not a JSON object"), errors("{}", "1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'$schema':'http://json-schema.org/draft-07/schema#'",
                ",'$schema':'https://json-schema.org/draft/2020-12/schema'"
            })
    void validatesSchemasOfSeveralDrafts(String draft) {
        assertEquals(1, errors(NUMBER.formatted(draft), "{'n':'one'}").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'$ref':'http://example.com/other'",
                ",'patternProperties':{'(?=a)b':{}}",
                ",'required':'n'",
            })
    void unsupportedSchemaAcceptsAnyObject(String wrong) {
        assertEquals(List.of(), errors(NUMBER.formatted(wrong), "{'n':'one'}"));
        assertEquals(1, errors(NUMBER.formatted(wrong), "x").size());
    }

    @Test
    @Tag("I113")
    void acceptsArgumentsThatAreTooSlowToValidate() {
        String patterns = IntStream.range(0, 500)
                .mapToObj(i -> "{'pattern':'(x{1,9}){99}y%d'}".formatted(i))
                .collect(Collectors.joining(",", "{'properties':{'n':{'allOf':[", "]}}}"));

        assertEquals(List.of(), errors(patterns, "{'n':'x'}"));
        assertEquals(List.of(), errors(NUMBER.formatted(""), "{'n':'" + "x".repeat(1 << 20) + "'}"));
    }
}
