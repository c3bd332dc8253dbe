package dev.parley.workflows.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.workflows.definition.YamlDocument;
import dev.parley.workflows.json.Json;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each style in each location, with the examples of the specification. */
class OpenApiParameterTest {
    private static final Json VALUES = YamlDocument.read("""
        empty: ''
        text: blue
        array: [blue, black, brown]
        object: { R: 100, G: 200, B: 150 }
        number: 10000000.0
        small: 0.0000005
        odd: [ 'a,b', 'c d', 'e&f=ö' ]
        deep: { a: { b: [1, 2] }, c: true, d: null }
        url: 'https://a.example/b?c=d&e#f'
        """);

    private static String written(String parameter, String value) throws CallException {
        OpenApiParameter declared = OpenApiParameter.of(YamlDocument.read("{ name: color, " + parameter + " }"));
        Json given = VALUES.get(value);
        return switch (declared.in()) {
            case "path" -> declared.segment(given);
            case "header" -> declared.header(given);
            default ->
                declared.pairs(given).stream()
                        .map(pair -> pair.name() + "=" + pair.value())
                        .collect(Collectors.joining("&"));
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "in: path, style: simple | text | blue",
                "in: path, style: simple | array | blue,black,brown",
                "in: path | object | R,100,G,200,B,150",
                "in: path, explode: true | array | blue,black,brown",
                "in: path, explode: true | object | R=100,G=200,B=150",
                "in: path | odd | a%2Cb,c%20d,e%26f%3D%C3%B6",
                "in: path | number | 10000000.0",
                "in: path, style: label | empty | .",
                "in: path, style: label | text | .blue",
                "in: path, style: label | array | .blue,black,brown",
                "in: path, style: label | object | .R,100,G,200,B,150",
                "in: path, style: label, explode: true | array | .blue.black.brown",
                "in: path, style: label, explode: true | object | .R=100.G=200.B=150",
                "in: path, style: matrix | empty | ;color",
                "in: path, style: matrix | text | ;color=blue",
                "in: path, style: matrix | array | ;color=blue,black,brown",
                "in: path, style: matrix | object | ;color=R,100,G,200,B,150",
                "in: path, style: matrix, explode: true | array | ;color=blue;color=black;color=brown",
                "in: path, style: matrix, explode: true | object | ;R=100;G=200;B=150",
                "in: query | empty | color=",
                "in: query | text | color=blue",
                "in: query | array | color=blue&color=black&color=brown",
                "in: query | object | R=100&G=200&B=150",
                "in: query | small | color=0.0000005",
                "in: query, style: form, explode: false | array | color=blue,black,brown",
                "in: query, style: form, explode: false | object | color=R,100,G,200,B,150",
                "in: query, explode: false | odd | color=a%2Cb,c%20d,e%26f%3D%C3%B6",
                "in: query, style: spaceDelimited | array | color=blue%20black%20brown",
                "in: query, style: spaceDelimited, explode: false | object | color=R%20100%20G%20200%20B%20150",
                "in: query, style: spaceDelimited, explode: true | array | color=blue&color=black&color=brown",
                "in: query, style: pipeDelimited | array | color=blue%7Cblack%7Cbrown",
                "in: query, style: pipeDelimited, explode: false | object | color=R%7C100%7CG%7C200%7CB%7C150",
                "in: query, style: deepObject, explode: true | object |"
                        + " color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
                "in: query, style: deepObject | deep | color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2&color%5Bc%5D=true",
                "in: query, allowReserved: true | url | color=https://a.example/b?c=d%26e%23f",
                "in: query | url | color=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e%23f",
                "in: query, content: { application/json: {} } | array |"
                        + " color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
                "in: header | array | blue,black,brown",
                "in: header | object | R,100,G,200,B,150",
                "in: header, explode: true | object | R=100,G=200,B=150",
                "in: header | url | https://a.example/b?c=d&e#f",
                "in: cookie | text | color=blue",
                "in: cookie, explode: false | array | color=blue,black,brown",
                "in: cookie, explode: false | object | color=R,100,G,200,B,150",
                "in: cookie, style: cookie | url | color=https://a.example/b?c=d&e#f",
                "in: query, type: array | array | color=blue,black,brown",
                "in: query, type: array, collectionFormat: multi | array | color=blue&color=black&color=brown",
                "in: query, type: array, collectionFormat: ssv | array | color=blue%20black%20brown",
                "in: query, type: array, collectionFormat: tsv | array | color=blue%09black%09brown",
                "in: query, type: array, collectionFormat: pipes | array | color=blue%7Cblack%7Cbrown"
            })
    @Tag("B103")
    void writesEachStyle(String parameter, String value, String expected) throws CallException {
        assertEquals(expected, written(parameter, value));
    }
}
