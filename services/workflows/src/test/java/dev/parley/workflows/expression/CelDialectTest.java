package dev.parley.workflows.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.json.JsonText;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("W31")
class CelDialectTest {
    private static final Scope SCOPE = new Scope(JsonText.read("""
                    {"claim":{"id":"C-1","amount":3200,"rate":0.5},"approval":{"value":"REJECTED"},"ok":true,
                     "items":[{"n":1},{"n":5}],"name":"Ada","nothing":null}
                    """), Map.of());
    private final ExpressionLanguage dialect = new CelDialect();

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                ".claim.id ~ \"C-1\"",
                ".claim ~ {\"id\":\"C-1\",\"amount\":3200,\"rate\":0.5}",
                ".items[1].n ~ 5",
                ".missing.more ~ null",
                ".approval.value == REJECTED ~ true",
                ".approval.value == \"REJECTED\" ~ true",
                ".approval.value == APPROVED ~ false",
                ".missing.value == APPROVED ~ false",
                ".ok == true ~ true",
                ".claim.amount <= 3200 ~ true",
                ".claim.rate < 1 ~ true",
                ".ok || .claim.amount > 5000 ~ true",
                ".ok && !(.claim.amount > 5000) ~ true",
                ".items.all(x, x.n > 0) ~ true",
                ".items.exists(item, item.n == 5) ~ true",
                "size(.items) ~ 2",
                ".name.startsWith(\"A\") ~ true",
                ".name in [\"Ada\", \"Bob\"] ~ true",
                "claim.amount > 1000 ? \"much\" : \"little\" ~ \"much\"",
                ".nothing == null ~ true",
                ".approval.value == auto-reject ~ false",
                "${ .claim.id } ~ \"C-1\"",
                ".claim.amount + 1 ~ 3201",
            })
    void evaluatesExpressions(String expression, String expected) {
        assertEquals(
                expected,
                dialect.expression(expression, Set.of()).evaluate(SCOPE).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "CLM-${ .claim.id }, CLM-C-1",
        "${ .name }: ${ .items } of ${ .claim.rate }, 'Ada: [{\"n\":1},{\"n\":5}] of 0.5'",
        "http://host/${ .claim.id }?x=${ .missing }, http://host/C-1?x=null",
    })
    void interpolatesExpressionsInStrings(String text, String expected) {
        assertEquals(
                expected,
                dialect.in(text, Set.of()).orElseThrow().evaluate(SCOPE).display());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "{a}", "$x"})
    void plainStringsAreNotExpressions(String text) {
        assertTrue(dialect.in(text, Set.of()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {".a ==", "foo(1)", "${ .a", ".a == 'x"})
    void rejectsInvalidExpressions(String text) {
        assertThrows(
                ExpressionException.class,
                () -> dialect.in("${ " + text + " }", Set.of()).orElseThrow().evaluate(SCOPE));
    }

    @Test
    void abortsLongEvaluations() {
        Expression nested = dialect.expression(
                "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c,"
                        + " [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, 1))))))",
                Set.of());

        assertThrows(ExpressionException.class, () -> nested.evaluate(SCOPE));
    }
}
