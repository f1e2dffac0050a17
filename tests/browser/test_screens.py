"""The page for a projector turns automatically, and stops on request."""

from __future__ import annotations

from playwright.sync_api import Page, expect

_SLIDE_MS = 12_000


def test_the_projector_turns_by_itself_until_it_is_paused(page: Page) -> None:
    page.goto("/events/")
    event = page.get_by_role("main").get_by_role("link", name="Club de la Serpiente Open").first
    address = event.get_attribute("href")
    page.clock.install()
    page.goto(f"{address}screen/")
    slides = page.locator(".slide")
    count = slides.count()
    assert count >= 2
    for turn in range(count + 1):
        expect(slides.nth(turn % count)).to_be_visible()
        assert page.locator(".slide:visible").count() == 1
        page.clock.run_for(_SLIDE_MS)
    page.get_by_role("button").click()
    heading = page.locator(".slide:visible h2").inner_text()
    page.clock.run_for(2 * _SLIDE_MS)
    assert page.locator(".slide:visible h2").inner_text() == heading


def test_a_slide_that_comes_in_does_not_make_the_page_wider(page: Page) -> None:
    page.goto("/events/")
    page.get_by_role("main").get_by_role("link", name="Club de la Serpiente Open").first.click()
    page.goto(f"{page.url}screen/")
    assert page.evaluate("document.getAnimations().length")
    page.evaluate(
        "for (const each of document.getAnimations()) { each.pause(); each.currentTime = 0; }"
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
