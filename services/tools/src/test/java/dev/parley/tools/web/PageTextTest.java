package dev.parley.tools.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The readable text of a page. */
class PageTextTest {
    private static String text(String html) {
        return PageText.of(Jsoup.parse(html, "https://example.org/a/b"), 100_000);
    }

    @Test
    void extractsTitleAndBlocks() {
        // Then
        assertEquals("""
                # News of  today

                # Hello

                One two
                three. See [the  next one](https://example.org/a/c?x=1) now.

                - first
                - second [here](https://other.example/)

                ```""".replace("  ", " ").replace("```", """
                a  b
                  c

                Name | Size
                x | 1"""), text("""
                <html><head><title> News of
                  today</title><style>p {}</style><script>alert(1)</script></head><body>
                <nav><a href="/">Home</a></nav>
                <h1>Hello</h1>
                <p>One   two<br>three. See <a href="c?x=1"> the
                   next one</a> now.</p>
                <ul><li>first</li><li>second <a href="https://other.example/">here</a></li></ul>
                <pre>a  b
                  c</pre>
                <script>document.write("x")</script>
                <table><tr><th>Name</th><th>Size</th></tr><tr><td>x</td><td>1</td></tr></table>
                </body></html>"""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <p>seen</p><p hidden>not</p>                            | seen
            <p>seen</p><div style='Display :none'>not</div>         | seen
            <p>seen</p><div style='color:red'>too</div>             | seen too
            <p>seen</p><span aria-hidden=true>not</span>            | seen
            <p>seen<!-- not --></p><template>not</template>         | seen
            <noscript>not</noscript><svg><text>not</text></svg>seen | seen
            <a href='javascript:alert(1)'>seen</a>                  | seen
            <a href='data:text/html,not'>seen</a>                   | seen
            <a href='/x'><img src=x></a>seen                        | seen
            <a href='/x)y'>seen</a>                                 | [seen](https://example.org/x%29y)
            <base href='https://base.example/'><a href=x>seen</a>   | [seen](https://base.example/x)
            <b>se</b><i>en</i> <u>too</u>                           | seen too
            """)
    void omitsInvisibleContent(String html, String text) {
        assertEquals(text, text(html).replaceAll("\\s+", " "));
    }

    @Test
    void stopsReadingALongPageAtTheLimit() {
        String text = PageText.of(Jsoup.parse("<p>0123456789".repeat(1_000)), 100);

        assertTrue(text.length() > 100 && text.length() < 130, text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <p>         | <div>
            <p>         | <a href=x><div>
            <p>         | <p hidden></p>
            <table><tr> | <td>
            """)
    void readsHostilePagesInTime(String prefix, String hostile) {
        String page = prefix + hostile.repeat(WebPage.MAX_BYTES / hostile.length());

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> text(page));
    }
}
