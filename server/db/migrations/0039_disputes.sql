CREATE TABLE "disputes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "disputes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"charge_id" integer NOT NULL,
	"stripe_id" text NOT NULL,
	"amount" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stands" text NOT NULL,
	"needs_answer" boolean NOT NULL,
	"answer_by" timestamp (3) with time zone,
	CONSTRAINT "disputes_stripeId_unique" UNIQUE("stripe_id"),
	CONSTRAINT "disputes_amount" CHECK ("disputes"."amount" > 0),
	CONSTRAINT "disputes_stands" CHECK ("disputes"."stands" in ('asked', 'open', 'won', 'lost')),
	CONSTRAINT "disputes_needs_answer" CHECK (not "disputes"."needs_answer" or "disputes"."stands" in ('asked', 'open'))
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_charge_id_ledger_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."ledger"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_charge" ON "disputes" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "disputes_waiting" ON "disputes" USING btree ("answer_by") WHERE needs_answer;--> statement-breakpoint
-- The nightly check looks at the last 120 days of them at the provider, and corrects how they stand.
INSERT INTO "disputes" ("charge_id", "stripe_id", "amount", "at", "stands", "needs_answer")
SELECT "charge_id", "stripe_id", -"amount", "at", case
  when exists (select from "ledger" "won" where "won"."stripe_id" = "ledger"."stripe_id" || ' won') then 'won'
  when "at" < now() - interval '120 days' then 'lost' else 'open' end, false
FROM "ledger" WHERE "kind" = 'dispute';
