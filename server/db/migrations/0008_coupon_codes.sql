DROP INDEX "coupons_code";--> statement-breakpoint
ALTER TABLE "coupons" ADD COLUMN "consultation_id" integer;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_za" ON "coupons" USING btree (lower("code")) WHERE deleted_at is null and coalesce(region, 'za') = 'za';--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_au" ON "coupons" USING btree (lower("code")) WHERE deleted_at is null and coalesce(region, 'au') = 'au';--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_consultationId_unique" UNIQUE("consultation_id");--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_personal" CHECK ("coupons"."consultation_id" is null or "coupons"."user_id" is not null);