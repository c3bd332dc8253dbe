package dev.parley.workflows.people;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.definition.YamlText;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.people.Question.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionTest {
    private static Json json(String yaml) {
        return YamlText.of(yaml).value();
    }

    private static Answer answer(String question, String input) {
        return new Question(json(question)).answer(json(input));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{ prompt: x } ~ hello ~ { value: hello }",
                "{ prompt: x } ~ { value: hello, comment: so } ~ { value: hello, comment: so }",
                "{ prompt: x, mode: approval, options: [{ value: YES }, { value: NO }] } ~ YES ~ { value: YES }",
                "{ prompt: x, mode: approval, options: [{ value: YES, label: Of course }] } ~ of course ~ { value: YES }",
                "{ prompt: x, mode: choice, options: [1, 2] } ~ 2 ~ { value: 2 }",
                "{ prompt: x, mode: choice, optionsFrom: [a, b] } ~ { value: B } ~ { value: b }",
                "{ prompt: x, mode: form } ~ { name: Ada, age: 36 } ~ { name: Ada, age: 36 }",
                "{ prompt: x, mode: form } ~ { fields: { name: Ada }, comment: ok } ~ { name: Ada, comment: ok }",
                "{ prompt: x, default: none } ~ null ~ { value: none }",
                "{ prompt: x, validate: { minLength: 2, maxLength: 3, pattern: '^a', enum: [ab, abc] } } ~ abc ~ { value: abc }",
            })
    void acceptsAValidAnswer(String question, String input, String expected) {
        assertEquals(new Answer(json(expected), List.of()), answer(question, input));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{ prompt: x, required: true } ~ null ~ an answer is required",
                "{ prompt: x, mode: approval, options: [{ value: YES }, { value: NO }] } ~ MAYBE ~ the answer is one of YES, NO",
                "{ prompt: x } ~ { value: 5 } ~ the answer is a text",
                "{ prompt: x, mode: form } ~ hello ~ a form is answered with its fields",
                "{ prompt: x, validate: { minLength: 3 } } ~ ab ~ the answer has at least 3 characters",
                "{ prompt: x, validate: { maxLength: 1 } } ~ ab ~ the answer has at most 1 characters",
                "{ prompt: x, validate: { pattern: '^[0-9]+$' } } ~ ab ~ the answer does not match ^[0-9]+$",
                "{ prompt: x, validate: { enum: [a, b] } } ~ c ~ the answer is one of a, b",
            })
    void rejectsAnInvalidAnswerWithTheReason(String question, String input, String error) {
        assertEquals(List.of(error), answer(question, input).errors());
    }

    @Test
    void validatesAFormAgainstItsSchema() {
        String question = """
                { prompt: x, mode: form, schema: { type: object, required: [name], properties: { age: { type: integer } } } }
                """;

        assertTrue(answer(question, "{ name: Ada, age: 36 }").errors().isEmpty());
        assertEquals(2, answer(question, "{ age: old }").errors().size());
    }

    @Test
    void aHugeAnswerIsRefused() {
        assertEquals(
                1,
                new Question(json("{ prompt: x }"))
                        .answer(Json.of("x".repeat(30_000)))
                        .errors()
                        .size());
    }

    @Test
    void hidesASensitiveAnswerAndLimitsRepeatedQuestions() {
        var question = new Question(json("{ prompt: x, sensitive: true, retryOnInvalid: 2 }"));

        assertEquals(json("{ value: null }"), question.hideSensitive(json("{ value: secret }")));
        assertTrue(question.isRepeated(2));
        assertFalse(question.isRepeated(3));
        assertFalse(new Question(json("{ prompt: x, retryOnInvalid: false }")).isRepeated(1));
        assertTrue(new Question(json("{ prompt: x }")).isRepeated(99));
    }
}
