package dev.parley.platform.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas of older drafts mean in draft 2020-12 what they meant. */
class OlderDraftsTest {
    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'items':[{'type':'string'},true]} | {'prefixItems':[{'type':'string'},true]}",
                "{'items':[{}],'additionalItems':false} | {'prefixItems':[{}],'items':false}",
                "{'items':{'items':[{}]},'additionalItems':false} | {'items':{'prefixItems':[{}]}}",
                "{'items':[]} | {}",
                "{'anyOf':[{'items':[{}]}]} | {'anyOf':[{'prefixItems':[{}]}]}",
                "{'definitions':{'a':{'items':[{}]}}} | {'definitions':{'a':{'prefixItems':[{}]}}}",
                "{'properties':{'items':{'items':[{}]}}} | {'properties':{'items':{'prefixItems':[{}]}}}",
                "{'enum':[{'items':[1]}],'default':{'items':[1]}} | {'enum':[{'items':[1]}],'default':{'items':[1]}}",
                "{'minimum':1,'exclusiveMinimum':true} | {'exclusiveMinimum':1}",
                "{'maximum':1,'exclusiveMaximum':false} | {'maximum':1}",
                "{'dependencies':{'a':['b'],'c':{'items':[{}]}}} |"
                        + " {'dependentRequired':{'a':['b']},'dependentSchemas':{'c':{'prefixItems':[{}]}}}",
                "{'$schema':'http://json-schema.org/draft-07/schema#'} |"
                        + " {'$schema':'https://json-schema.org/draft/2020-12/schema'}",
                "{'type':'object','x':1.50} | {'type':'object','x':1.50}",
                "true | true"
            })
    @Tag("B102")
    void convertsEachKeyword(String older, String current) {
        assertEquals(json(current), OlderDrafts.current(json(older)));
    }

    @Test
    @Tag("B102")
    void checksTuples() {
        JsonSchema schema = JsonSchema.ofArguments(json(
                "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{'at':{'type':'array',"
                        + "'items':[{'type':'number'},{'type':'number'}],'additionalItems':false}}}"));

        assertEquals(List.of(), schema.errors(json("{'at':[1,2.5]}")));
        assertEquals(1, schema.errors(json("{'at':[1,'x']}")).size());
        assertEquals(1, schema.errors(json("{'at':[1,2,3]}")).size());
    }
}
