package dev.parley.platform.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.json.JsonMappers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The validator sees the same values, and of numbers the same digits. */
class ValidatorTreeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":[1,\"two\",true,false,null,{}],\"b\":{\"c\":[]}}",
                "[7,7.50,-1.10,10000000.0,0.0000001,0.123456789012345678901234567890]",
                "[2147483648,9007199254740993,123456789012345678901234567890,123456789012345678.25]",
                "[1e7,25E-9,1E+400]"
            })
    void treesAreTheSame(String json) {
        JsonNode tree = JsonMappers.tree(json);

        assertEquals(tree.toString(), ValidatorTree.of(tree).toString());
    }

    @Test
    void noTextIsNoValue() {
        assertTrue(ValidatorTree.of(JsonMappers.tree("")).isMissingNode());
    }
}
