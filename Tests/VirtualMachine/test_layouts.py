"""Scanners that are set to other keyboards than the one in the kernel's tables."""

from daemon import of_type, reasons, texts
from scenario import K1, K2, Scenario


class Layouts(Scenario):

    def test_two_scanners_with_different_layouts_at_once(self):
        program = self.run_daemon({**K1, "layout": "us"}, {**K2, "layout": "fr"})
        # The keys of the top row: digits on the one, signs on the other.
        for key in "12345678\n":
            self.guest.type("k1", key, enter=False, gap=0.004)
            self.guest.type("k2", key, enter=False, gap=0.004)
        events = program.wait_for_type("scan", 2)
        self.assertEqual(texts(events, "k1"), ["12345678"])
        self.assertEqual(texts(events, "k2"), ["&é\"'(-è_"])

    def test_a_wrong_layout_is_suspected_and_the_text_kept(self):
        program = self.run_daemon({**K1, "layout": "fr"})
        self.guest.type("k1", "4006381333931")
        event = program.wait_for_type("scan")[0]
        self.assertEqual(texts([event]), ["'àà-\"_&\"\"\"ç\"&"])
        codes = [problem["code"] for problem in event["data"]["problems"]]
        self.assertIn("layout-suspect", codes)

    def test_enter_inside_the_data(self):
        program = self.run_daemon({**K1, "terminator_pause": "200ms"})
        self.guest.type("k1", "one\ntwo")
        self.assertEqual(texts(program.wait_for_type("scan")), ["one\rtwo"])
        self.assertEqual(reasons(of_type(program.events(), "scan.rejected")), [])
